/**
 * Whether what lies in a folder may be given to agents: `<home>/memory/trust.json`. VS Code asks people, and the extension
 * notes what it was told; `memory trust` does the same. A folder nobody said anything of counts as trusted: a hook runs where a
 * person has started an agent, and agents ask the same question before they run hooks there or read such files themselves.
 */
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { memoryFolder } from '../base/home.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';

export const trustFile = (home: string): string => path.join(memoryFolder(home), 'trust.json');

/** `restricted`: VS Code holds it so, and may change its mind; what a person said themselves stands above it. */
type Answer = boolean | 'restricted';

/** Undefined: nobody said. What cannot be read says that nothing is trusted. */
export function trustOf(home: string, root: Root): boolean | undefined {
  const answer = answerFor(home, root);
  return answer === 'restricted' ? false : answer;
}

/** What a person said. @throws UserError `locked`; the system error. */
export function noteTrust(home: string, root: Root, isTrusted: boolean): void {
  if (answerFor(home, root) !== isTrusted) note(home, root, isTrusted);
}

/** What VS Code says. @throws UserError `locked`; the system error. */
export function noteRestricted(home: string, root: Root, isRestricted: boolean): void {
  const answer = answerFor(home, root);
  if (isRestricted && answer === undefined) note(home, root, 'restricted');
  if (!isRestricted && answer === 'restricted') note(home, root, undefined);
}

function answerFor(home: string, root: Root): Answer | undefined {
  const text = readIfExists(trustFile(home));
  if (text === undefined) return undefined;
  const roots = rootsIn(text);
  return roots === undefined ? false : roots[root];
}

function note(home: string, root: Root, answer: Answer | undefined): void {
  const file = trustFile(home);
  makeFolder(path.dirname(file));
  const done = withLock(`${file}.lock`, { wait: 3_000 }, () => {
    const roots = rootsIn(readIfExists(file) ?? '{}') ?? {};
    // An answer that is undefined leaves no trace in JSON.
    writeFileAtomic(file, `${JSON.stringify({ ...roots, [root]: answer }, null, 2)}\n`);
  });
  if (!done) throw new UserError('locked', 'Memory is busy. Try again.');
}

function rootsIn(text: string): Readonly<Record<string, Answer>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, Answer] => {
        return typeof entry[1] === 'boolean' || entry[1] === 'restricted';
      }),
    );
  } catch {
    // Cut short by a crash of the disk: the caller takes nothing for trusted.
    return undefined;
  }
}
