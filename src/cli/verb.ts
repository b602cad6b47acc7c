/** The grammar of a verb, as data: the parser, the help and the README table are made from it. */
import { memoryChoices } from '../core/memory.ts';
import type { CliContext } from './cliContext.ts';
import type { ExitStatus } from './exitStatus.ts';

export interface Verb {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Paragraphs for the verb's own help; whole sentences. */
  readonly details: readonly string[];
  readonly arguments: readonly VerbArgument[];
  readonly options: readonly VerbOption[];
  readonly examples: readonly VerbExample[];
  /** Prints its result and returns what was achieved. @throws UserError for what a person may be told. */
  run(call: VerbCall, context: CliContext): Promise<ExitStatus>;
}

export interface VerbArgument {
  /** `<turn>` when it must be there, `[path]` when it may be missing. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export interface VerbOption {
  /** `--yes`, `--scope <scope>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export interface VerbExample {
  /** Without the program's name. */
  readonly line: string;
  readonly description: string;
}

/** The arguments and options of one call, already checked against the verb's grammar. */
export interface VerbCall {
  argument(index: number): string | undefined;
  flag(name: string): boolean;
  option(name: string): string | undefined;
}

export const turnArgument: VerbArgument = {
  name: '<turn>',
  description: 'number of the turn as `list` shows it, or its id or a unique beginning of the id',
};

export const yesOption: VerbOption = {
  flags: '--yes',
  description: 'do it without asking',
};

export const conflictsOption: VerbOption = {
  flags: '--conflicts <choice>',
  description:
    'files that were changed since: keep yours (default), take the old state, merge both, or fail',
  choices: ['keep', 'take', 'merge', 'fail'],
};

/** For what merges by itself. */
export const mergingConflictsOption: VerbOption = {
  ...conflictsOption,
  description:
    'files that were changed since: keep yours, take the old state, merge both (default), or fail',
};

export const memoryOption: VerbOption = {
  flags: '--memory <choice>',
  description:
    'what these turns wrote to memory: keep it (default), or take it back; --conflicts holds for it too',
  choices: [...memoryChoices],
};

export const partialOption: VerbOption = {
  flags: '--partial',
  description: 'go on without the files that cannot be restored; else one of them refuses it all',
};

export const forceOption: VerbOption = {
  flags: '--force',
  description: 'even while the agent is still working on the turn',
};
