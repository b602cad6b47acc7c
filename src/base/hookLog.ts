/** The hook's log: it may print nothing, so what went wrong is written here. Kept small by starting anew. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readIfExists } from './atomicFile.ts';

const largest = 512 * 1024;

/** Appends one line. Never throws: a hook that cannot log still must not fail the agent. */
export function appendToLog(file: string, now: number, text: string): void {
  try {
    makeFolder(path.dirname(file));
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largest)
      fs.renameSync(file, `${file}.old`);
    const line = text.replace(/\p{Cc}+/gu, ' ');
    fs.appendFileSync(file, `${new Date(now).toISOString()} ${line}\n`, { mode: 0o600 });
  } catch {
    // Nowhere left to say it: stdout and stderr belong to the agent.
  }
}

/** Lines of the log since a time, oldest first, of its newest part. @throws the system error */
export function readLog(file: string, since: number): readonly string[] {
  const text = readIfExists(file)?.slice(-64 * 1024) ?? '';
  return text.split('\n').filter((line) => Date.parse(line.split(' ', 1)[0] ?? '') >= since);
}
