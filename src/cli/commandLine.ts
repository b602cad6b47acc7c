/** Parses the command line by the table of verbs, and makes the help texts from the same table. No verb runs here. */
import { Argument, Command, type CommanderError, Option } from 'commander';
import { systemCode, UserError } from '../core/errors.ts';
import type { Settings } from './cliContext.ts';
import { paint } from './text.ts';
import type { Verb, VerbCall } from './verb.ts';

export type CommandLine =
  | {
      readonly kind: 'run';
      readonly verb: Verb;
      readonly call: VerbCall;
      readonly settings: Settings;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly json: boolean };

interface Look {
  readonly columns: number;
  readonly colour: boolean;
}

const defaultColumns = 80;
const usualColumns = 100;

/** @throws UserError `usage` for whatever the grammar does not allow. */
export function parseCommandLine(
  args: readonly string[],
  verbs: readonly Verb[],
  look: Look,
): CommandLine {
  let run: CommandLine | undefined;
  let printed = '';
  const program = buildProgram(look, (text) => {
    printed += text;
  });
  for (const verb of verbs)
    addVerb(program, verb, look, (call) => {
      run = { kind: 'run', verb, call, settings: settingsOf(program.opts()) };
    });
  addHelp(program, verbs);
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!isCommanderError(error)) throw error;
    if (error.code === 'commander.version')
      return { kind: 'version', json: args.includes('--json') };
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: printed };
    throw new UserError('usage', usageMessage(error, args, verbs));
  }
  return run ?? { kind: 'help', text: printed };
}

function buildProgram(look: Look, print: (text: string) => void): Command {
  return new Command('memcode-timeline')
    .description(
      'Undo for coding agents: every turn of an agent is a point you can look at and go back to.',
    )
    .usage('[options] <verb> …')
    .option('--root <dir>', 'folder whose timeline is meant (default: the current folder)')
    .option(
      '--session <id>',
      'session, or a unique beginning of its id (default: the one used last)',
    )
    .option('--json', 'print one JSON value, errors included')
    .option('--verbose', 'print ids, exact times and what happens inside')
    .version('', '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, for a verb when one is named')
    .helpCommand(false)
    .commandsGroup('Verbs:')
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(look),
      getErrHelpWidth: () => helpWidth(look),
      getOutHasColors: () => look.colour,
      getErrHasColors: () => look.colour,
    })
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => usageOf(command),
      styleTitle: (title) => heading(title, look),
    })
    .addHelpText('after', () => programNotes(look));
}

const programNotes = (look: Look) => `
Options may stand before or after the verb.

${heading('Exit status:', look)}
  0  done
  1  refused or failed; nothing is left half done
  2  wrong usage
  3  done, but files in conflict were kept as they were

${heading('Examples:', look)}
  memcode-timeline list                  the turns of the session used last
  memcode-timeline diff 3                what turn 3 changed
  memcode-timeline rewind 3              files back to before turn 3, after asking
  memcode-timeline redo                  take that rewind back
  memcode-timeline revert 2              turn 2 taken out, later turns kept`;

function addVerb(program: Command, verb: Verb, look: Look, chosen: (call: VerbCall) => void): void {
  const command = program
    .command(verb.name)
    .summary(verb.summary)
    .description([sentence(verb.summary), ...verb.details].join('\n\n'));
  for (const { name, description, choices } of verb.arguments) {
    const argument = new Argument(name, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const { flags, description, choices } of verb.options) {
    const option = new Option(flags, description);
    command.addOption(choices === undefined ? option : option.choices(choices));
  }
  command.addHelpText('after', () => examplesOf(verb, look));
  command.action(() => {
    chosen(callOf(command));
  });
}

function addHelp(program: Command, verbs: readonly Verb[]): void {
  const verb = new Argument('[verb]', 'a verb').choices(verbs.map(({ name }) => name));
  program
    .command('help')
    .summary('print help, for a verb when one is named')
    .addArgument(verb)
    .action((name: unknown) => {
      (program.commands.find((command) => command.name() === name) ?? program).outputHelp();
    });
}

function usageOf(command: Command): string {
  const terms = command.registeredArguments.map((argument) => {
    const name = argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...terms].join(' ');
}

function examplesOf(verb: Verb, look: Look): string {
  const lines = verb.examples.map(
    ({ line, description }) => `  memcode-timeline ${line}\n      ${description}`,
  );
  return `\n${heading('Examples:', look)}\n${lines.join('\n')}`;
}

function heading(title: string, look: Look): string {
  return look.colour ? paint('bold', title) : title;
}

function callOf(command: Command): VerbCall {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const args = command.processedArgs as readonly unknown[];
  return {
    argument: (index) => textOf(args[index]),
    flag: (name) => options[camelCase(name)] === true,
    option: (name) => textOf(options[camelCase(name)]),
  };
}

function settingsOf(options: Readonly<Record<string, unknown>>): Settings {
  const root = textOf(options['root']);
  const session = textOf(options['session']);
  return {
    json: options['json'] === true,
    verbose: options['verbose'] === true,
    ...(root === undefined ? {} : { root }),
    ...(session === undefined ? {} : { session }),
  };
}

function usageMessage(
  error: CommanderError,
  args: readonly string[],
  verbs: readonly Verb[],
): string {
  const verb = verbs.find(({ name }) => args.includes(name));
  const hint = `Try: memcode-timeline ${verb === undefined ? '' : `${verb.name} `}--help`;
  if (error.code === 'commander.help') return `Which verb? ${hint}`;
  const [what = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  return [sentence(what), ...suggestions, hint].join(' ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

function helpWidth(look: Look): number {
  return look.columns > 0 ? Math.min(look.columns, usualColumns) : defaultColumns;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** By code: the minified bundle has another name for the class, which takes its `name` from it. */
function isCommanderError(error: unknown): error is CommanderError {
  return systemCode(error)?.startsWith('commander.') === true;
}
