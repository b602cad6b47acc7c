/**
 * Brings the mirror of one session up to the DAG: commits, what lies in its folder, its remote. Under a lock between
 * processes; a mirror that was changed by hand or by a crash is looked over and mended on the way.
 */
import path from 'node:path';
import { withLockHeld } from '../base/fileLock.ts';
import { mirrorFolder, mirrorsFolder } from '../base/home.ts';
import { isUserError, UserError } from '../core/errors.ts';
import { asSessionId, sessionFolder } from '../core/ids.ts';
import { decodeCommit, type ObjectId } from '../git/gitObject.ts';
import { repackStore, sweepPacks } from '../git/repackStore.ts';
import { cursorOf } from '../session/cursorStore.ts';
import { type Database, inTransaction } from '../session/database.ts';
import { conversationOf } from '../session/historyStore.ts';
import {
  isMirror,
  type Mirror,
  mirrorBranches,
  openMirror,
} from '../session/mirror/mirrorRepository.ts';
import {
  commitsOf,
  forgetLate,
  mirrorRow,
  noteCommits,
  owedTurns,
  saveMirrorRow,
  sessionFacts,
  turnsToMirror,
} from '../session/mirror/mirrorStore.ts';
import { branchState, pushMirror } from '../session/mirror/pushMirror.ts';
import { showCommit } from '../session/mirror/showCommit.ts';
import { verifyMirror } from '../session/mirror/verifyMirror.ts';
import { MovedError, writeTurns } from '../session/mirror/writeTurns.ts';
import { nodesOfTurn } from '../session/nodeStore.ts';

export interface MirrorContext {
  readonly home: string;
  readonly database: Database;
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  readonly userHome?: string;
  readonly probe?: (at: string) => void;
}

export interface SyncResult {
  readonly commits: number;
  /** Sentences. */
  readonly repairs: readonly string[];
}

export interface SyncOptions {
  readonly check?: boolean;
  /** Its files are wanted in its folder, however old they are. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Sessions that nobody used for so long keep their messages in the repository alone. */
const restsAfter = 14 * 24 * 3_600_000;
/** Turns in one pack: bounds what is in memory, and what a crash makes be done again. */
const batch = 400;
const lockWait = 10_000;
const mostPacks = 24;

/** @throws UserError `locked`, `damaged`; system errors. */
export async function syncMirror(
  context: MirrorContext,
  session: string,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const folder = mirrorFolder(context.home, asSessionId(session));
  const lock = path.join(
    mirrorsFolder(context.home),
    `.${sessionFolder(asSessionId(session))}.lock`,
  );
  const held = await withLockHeld(lock, { wait: lockWait }, async () => {
    const repairs = [...(options.check ? verify(context, session, true) : [])];
    for (let attempt = 0; ; attempt++) {
      try {
        const commits = await writeOwed(context, session, folder, options);
        return { commits, repairs };
      } catch (error) {
        const isMendable = error instanceof MovedError || isUserError(error, 'damaged');
        if (!isMendable || attempt > 0) throw error;
        repairs.push(...verify(context, session, false));
      }
    }
  });
  if (held === undefined)
    throw new UserError('locked', 'Another process writes this mirror.', { session });
  for (const repair of held.value.repairs)
    context.log('warn', `Mirror of session ${session}: ${repair}`);
  return held.value;
}

/** Whether a mirror stands where the database says, without reading its commits. */
export function isMirrorAsLeft({ database, home }: MirrorContext, session: string): boolean {
  const folder = mirrorFolder(home, asSessionId(session));
  const known = commitsOf(database, session);
  if (!isMirror(folder)) return known.size === 0;
  const { layout, links } = conversationOf(database, session);
  const parents = new Map(links.map(({ id, parent }) => [id, parent]));
  const expected = new Map<string, ObjectId>();
  for (const [branch, tip] of layout.tips) {
    let at: string | null = tip;
    while (at !== null && layout.branchOf.get(at) === branch && !known.has(at))
      at = parents.get(at) ?? null;
    const commit = at !== null && layout.branchOf.get(at) === branch ? known.get(at) : undefined;
    if (commit !== undefined) expected.set(branch, commit);
  }
  const present = mirrorBranches({ git: path.join(folder, '.git') });
  return (
    present.size === expected.size && [...expected].every(([name, id]) => present.get(name) === id)
  );
}

function verify(
  { database, home, now }: MirrorContext,
  session: string,
  whole: boolean,
): readonly string[] {
  const folder = mirrorFolder(home, asSessionId(session));
  return verifyMirror({ database, folder, session, now }, whole);
}

async function writeOwed(
  context: MirrorContext,
  session: string,
  folder: string,
  { signal, isWanted = false }: SyncOptions,
): Promise<number> {
  const { database } = context;
  const facts = sessionFacts(database, session);
  if (facts === undefined) return 0;
  let known = commitsOf(database, session);
  if (!isMirrorAsLeft(context, session)) throw new MovedError('The mirror is not as it was left.');
  let commits = 0;
  const { conversation, turns, late } = owedTurns(database, session, known);
  const mirror = openMirror(folder);
  try {
    for (let from = 0; from < turns.length && signal?.aborted !== true; from += batch) {
      const some = turns.slice(from, from + batch);
      const lateNodes = from === 0 ? late.flatMap((id) => nodesOfTurn(database, id)) : [];
      const written = await writeTurns(
        mirror,
        facts,
        turnsToMirror(database, conversation, some),
        known,
        lateNodes,
        context.probe ? { probe: context.probe } : {},
      );
      inTransaction(database, () => {
        noteCommits(database, session, written.commits);
        forgetLate(database, written.late);
      });
      known = new Map([...known, ...written.commits]);
      commits += written.commits.size;
    }
    if (known.size > 0) show(context, session, mirror, known, isWanted);
    if (mirror.objects.packCount > mostPacks) await maintain(context, mirror, signal);
  } finally {
    mirror.objects.close();
  }
  return commits;
}

/** The folder holds what a person looks at: a turn, or the end of the newest branch. */
function show(
  { database, now }: MirrorContext,
  session: string,
  mirror: Mirror,
  known: ReadonlyMap<string, ObjectId>,
  isWanted: boolean,
): void {
  const cursor = cursorOf(database, session);
  const row = mirrorRow(database, session);
  const used = sessionFacts(database, session)?.updatedAt ?? 0;
  const isOld = now() - used > restsAfter && (row.head === null || row.head.endsWith('\nsparse'));
  const isSparse = isOld && !isWanted && cursor === undefined;
  const { layout, current, links } = conversationOf(database, session);
  const save = (wanted: { readonly head: string; readonly commit: ObjectId }) => {
    const head = showCommit(mirror, row.head, { ...wanted, isSparse });
    if (head !== row.head) inTransaction(database, () => saveMirrorRow(database, { ...row, head }));
  };
  if (cursor) {
    const first = links.find(({ parent }) => parent === null);
    const start = first && known.get(first.id);
    const commit =
      cursor.turn !== null
        ? known.get(cursor.turn)
        : start && decodeCommit(mirror.objects.read(start, 'commit')).parents[0];
    if (commit !== undefined) save({ head: commit, commit });
    return;
  }
  const branches = mirrorBranches(mirror);
  const branch = branches.has(current)
    ? current
    : [...layout.tips.keys()].find((b) => branches.has(b));
  const commit = branch === undefined ? undefined : branches.get(branch);
  if (commit !== undefined) save({ head: `ref: refs/heads/${branch}`, commit });
}

/** Only makes it smaller and faster to read: what fails is tried again later. */
async function maintain(
  { environment, log, now }: MirrorContext,
  mirror: Mirror,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await repackStore(mirror.git, 'roll', environment, signal);
    sweepPacks(mirror.git, now());
  } catch (error) {
    if (signal?.aborted !== true)
      log('warn', `${mirror.git} could not be packed: ${String(error)}`);
  }
}

/** @returns what was done; nothing where there is no remote, or it has everything. */
export async function pushIfOwed(
  context: MirrorContext,
  session: string,
  signal: AbortSignal | undefined,
): Promise<'pushed' | 'failed' | 'nothing'> {
  const { database, home, now } = context;
  const { remote, pushed } = mirrorRow(database, session);
  const folder = mirrorFolder(home, asSessionId(session));
  if (remote === null || !isMirror(folder)) return 'nothing';
  const mirror = openMirror(folder);
  const state = branchState(mirror);
  if (state === pushed) return 'nothing';
  const failure = await pushMirror(mirror, remote, context.environment, signal);
  mirror.objects.close();
  if (signal?.aborted) return 'nothing';
  const row = mirrorRow(database, session);
  if (row.remote !== remote) return 'nothing';
  inTransaction(database, () =>
    saveMirrorRow(
      database,
      failure === undefined
        ? { ...row, pushed: state, pushAttempts: 0, pushRetryAt: 0, pushFailure: null }
        : {
            ...row,
            pushAttempts: row.pushAttempts + 1,
            pushRetryAt: now() + retryAfter(row.pushAttempts),
            pushFailure: failure,
          },
    ),
  );
  if (failure !== undefined)
    context.log('warn', `The mirror of session ${session} could not be pushed: ${failure}`);
  return failure === undefined ? 'pushed' : 'failed';
}

/** Milliseconds to the next attempt after so many. */
export function retryAfter(attempts: number): number {
  return [500, 2_000, 8_000][attempts] ?? Math.min(3_600_000, 30_000 * 2 ** (attempts - 3));
}
