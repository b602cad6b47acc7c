/** Looks into the mirrors of a `HistoryWorld` with git. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type HistoryWorld, id } from './historyWorld.ts';

export function git(world: HistoryWorld, session: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: world.mirror(session),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: world.userHome, LC_ALL: 'C' },
  }).trimEnd();
}

export const sync = (world: HistoryWorld, session = 'S') =>
  world.app.history.syncMirrors({ session: id(session) });

export const subjects = (world: HistoryWorld, ref = 'main') =>
  git(world, 'S', 'log', '--format=%s', ref).split('\n');

/** Whole, linear, nothing of the folder changed. */
export function assertSound(world: HistoryWorld, session = 'S'): void {
  assert.equal(git(world, session, 'fsck', '--full', '--strict'), '');
  assert.equal(git(world, session, 'status', '--porcelain'), '');
}
