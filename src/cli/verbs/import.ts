import { resolve } from 'node:path';
import type { ImportedFile, ImportReport } from '../../app/sessionHistory.ts';
import type { CliContext } from '../cliContext.ts';
import type { Output } from '../output.ts';
import { counted } from '../previewText.ts';
import { styled } from '../text.ts';
import type { Verb } from '../verb.ts';

const between = 2_000;

/** Takes in sessions from agents' transcripts. */
export const importVerb: Verb = {
  name: 'import',
  summary: "take in old sessions from agents' own transcripts",
  details: [
    'Claude Code, Codex, Gemini CLI, Copilot CLI, Cline and opencode keep transcripts below your home folder; they are found there, or where you say. Prompts, replies, tool calls and their results become part of the history, together with what hooks recorded. Doing it again only reads what is new, and never makes a turn twice.',
    'Turns that only a transcript tells of cannot be rewound: nothing of their files was saved.',
  ],
  arguments: [{ name: '[path]', description: 'a transcript, or a folder to look for some in' }],
  options: [
    {
      flags: '--agent <name>',
      description: 'only those of claude, codex, gemini, copilot, cline or opencode',
    },
  ],
  examples: [
    { line: 'import', description: 'everything that is found' },
    { line: 'import ~/backup/claude --json', description: 'of another place, told as JSON' },
  ],
  async run(call, context) {
    const { app } = await context.open();
    const given = call.argument(0);
    const agent = call.option('agent');
    const report = await app.history.importSessions({
      ...(given !== undefined && { path: resolve(context.host.cwd, given) }),
      ...(agent !== undefined && { agent }),
      progress: progressOf(context),
    });
    if (context.out.json) context.out.value(report);
    else print(context.out, report);
    return report.files.some(({ problem, session }) => problem !== null && session === null)
      ? 1
      : 0;
  },
};

function progressOf({ host, out }: CliContext) {
  let told = host.now();
  return ({
    files,
    of,
    bytes,
    ofBytes,
  }: {
    files: number;
    of: number;
    bytes: number;
    ofBytes: number;
  }) => {
    const now = host.now();
    if (out.json || !host.interactive || now - told < between) return;
    told = now;
    const part = ofBytes === 0 ? 100 : Math.floor((100 * bytes) / ofBytes);
    out.note(`${part} %: ${files} of ${counted(of, 'transcript')}`);
  };
}

function print(out: Output, { files }: ImportReport): void {
  const sum = (of: (file: ImportedFile) => number) =>
    files.reduce((all, file) => all + of(file), 0);
  const sessions = new Set(files.filter(({ added }) => added > 0).map(({ session }) => session));
  out.line(
    `${counted(files.length, 'transcript')} found: ${counted(
      sum(({ added }) => added),
      'new turn',
    )} in ${counted(sessions.size, 'session')}, ${sum(({ updated }) => updated)} made more complete, ${counted(files.filter(({ isUnchanged }) => isUnchanged).length, 'transcript')} as before.`,
  );
  const kept = sum((file) => file.kept);
  if (kept > 0)
    out.line(`${counted(kept, 'record')} of kinds nobody here knows were kept as they are.`);
  for (const { file, problem } of files)
    if (problem !== null) out.line(styled('yellow', `${file}: ${problem}`));
}
