/** Erases everything kept of one root: states, prompts, replies, redo points. The user's files and memcode's stay. */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { liveFolder, mirrorFolder, rootFolder } from '../base/home.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { readPlainText } from '../base/readPlainText.ts';
import { checkpointsFolder, memcodeFolder } from '../checkpoint/places.ts';
import { removeWhole } from '../checkpoint/prune.ts';
import { readCheckpointsIn, sessionFolders } from '../checkpoint/readSession.ts';
import { UserError } from '../core/errors.ts';
import { asSessionId, type Root, type SessionId } from '../core/ids.ts';
import { inTransaction } from '../session/database.ts';
import { eraseSessions } from '../session/eraseSessions.ts';
import { sessionsOf, turnsOf } from '../session/timelineStore.ts';
import { exclusively, type OperationContext } from './operations.ts';

export interface EraseReport {
  readonly sessions: number;
  readonly turns: number;
}

/** It cannot be taken back. @throws UserError `running`, `interrupted`, `locked`; system errors. */
export function eraseRoot(context: OperationContext, root: Root): Promise<EraseReport> {
  return exclusively(context, root, () => {
    const listed = sessionsOf(context.database, root);
    const sessions = listed.map((session) => session.id);
    const turns = sessions.flatMap((session) => turnsOf(context.database, session));
    if (turns.some((turn) => turn.end === 'running')) {
      throw new UserError('running', 'An agent is still working in this project. Stop it first.');
    }
    for (const name of sessionFolders(root)) eraseCheckpoints(root, name);
    removeIfOurs(root);
    for (const session of sessions) {
      fs.rmSync(liveFolder(context.home, asSessionId(session)), { recursive: true, force: true });
    }
    inTransaction(context.database, () => eraseSessions(context.database, root));
    for (const session of listed) if (session.root === root) eraseMirror(context.home, session.id);
    // Deleted rows stay in the log of the database until it is written back.
    context.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    removeWhole(rootFolder(context.home, root));
    return { sessions: sessions.length, turns: turns.length };
  });
}

/** Also those that were set aside. */
function eraseMirror(home: string, session: SessionId): void {
  const folder = mirrorFolder(home, session);
  const name = path.basename(folder);
  for (const entry of listIfExists(path.dirname(folder)))
    if (entry.name === name || entry.name.startsWith(`${name}.diverged-`))
      removeWhole(path.join(path.dirname(folder), entry.name));
}

function eraseCheckpoints(root: Root, name: string): void {
  const folder = path.join(checkpointsFolder(root), name);
  const { checkpoints } = readCheckpointsIn(root, folder);
  if (!checkpoints.some((checkpoint) => checkpoint.foreign)) removeWhole(folder);
}

/** `.memcode` itself goes when nothing but ours was in it. */
function removeIfOurs(root: Root): void {
  const checkpoints = checkpointsFolder(root);
  if (fs.existsSync(checkpoints) && listIfExists(checkpoints).length === 0)
    fs.rmdirSync(checkpoints);
  const folder = memcodeFolder(root);
  const ignore = path.join(folder, '.gitignore');
  const left = listIfExists(folder).map((entry) => entry.name);
  if (left.join() !== '.gitignore' || !isOurs(ignore)) return;
  fs.rmSync(ignore);
  fs.rmdirSync(folder);
}

function isOurs(ignore: string): boolean {
  return lstatIfExists(ignore)?.isFile() === true && readPlainText(ignore) === '*\n';
}
