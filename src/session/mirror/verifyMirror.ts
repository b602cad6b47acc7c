/**
 * Compares a mirror with the messages, by the Turn-Id of each commit. What it lacks is owed again; what is in it and not in
 * the DAG is set aside under `refs/quarantine/`; a repository that cannot be read is set aside whole.
 */
import { isUserError, messageOf, UserError } from '../../core/errors.ts';
import { turnIdIn } from '../../core/turnMessage.ts';
import { deleteRef, readRef, updateRef } from '../../git/bareRepository.ts';
import { decodeCommit, decodeTree, type ObjectId, objectId } from '../../git/gitObject.ts';
import { type Database, inTransaction } from '../database.ts';
import { type Conversation, conversationOf } from '../historyStore.ts';
import { nodesOfTurn } from '../nodeStore.ts';
import { statement } from '../statements.ts';
import { messageBytes, messageFile } from './mirrorFiles.ts';
import {
  isMirror,
  type Mirror,
  mirrorBranches,
  openMirror,
  setMirrorAside,
} from './mirrorRepository.ts';
import { resetCommits } from './mirrorStore.ts';
import { readMessages } from './writeTurns.ts';

export interface VerifyContext {
  readonly database: Database;
  readonly folder: string;
  readonly session: string;
  readonly now: () => number;
}

/** @param whole also compares the files of each branch's last commit. @returns sentences: what was found, what was done */
export function verifyMirror(context: VerifyContext, whole: boolean): readonly string[] {
  const { database, folder, session, now } = context;
  const conversation = conversationOf(database, session);
  if (!isMirror(folder)) {
    inTransaction(database, () => resetCommits(database, session, new Map(), now()));
    return [];
  }
  const mirror = openMirror(folder);
  try {
    const found = readCommits(mirror);
    const sound = soundTurns(database, conversation, found);
    if (whole) compareFiles(database, mirror, conversation, sound);
    const repairs = alignBranches(mirror, conversation, sound);
    inTransaction(database, () => resetCommits(database, session, sound, now()));
    return repairs;
  } catch (error) {
    if (!isUserError(error, 'damaged') && !(error instanceof UnreadableError)) throw error;
    const aside = setMirrorAside(folder, now());
    inTransaction(database, () => {
      resetCommits(database, session, new Map(), now());
      statement(database, 'UPDATE mirrors SET head = NULL, pushed = NULL WHERE session = ?').run(
        session,
      );
    });
    return [`The mirror could not be used (${messageOf(error)}) and was set aside: ${aside}`];
  } finally {
    mirror.objects.close();
  }
}

class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

interface Found {
  readonly commit: ObjectId;
  /** Turn-Id of the commit before it; undefined: it has none, as the root. */
  readonly before: string | undefined;
  readonly isOnRoot: boolean;
}

/** Turn-Id -> its commit, over all branches. */
function readCommits(mirror: Mirror): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  const seen = new Set<ObjectId>();
  const read = (id: ObjectId) => {
    try {
      return decodeCommit(mirror.objects.read(id, 'commit'));
    } catch (error) {
      if (isUserError(error)) throw error;
      throw new UnreadableError(messageOf(error));
    }
  };
  for (const tip of mirrorBranches(mirror).values()) {
    let id: ObjectId | undefined = tip;
    let commit = read(tip);
    while (id !== undefined && !seen.has(id)) {
      seen.add(id);
      const parent: ObjectId | undefined = commit.parents[0];
      const before = parent === undefined ? undefined : read(parent);
      const turn = turnIdIn(commit.message);
      if (turn !== undefined && commit.parents.length === 1 && before && !found.has(turn))
        found.set(turn, {
          commit: id,
          before: turnIdIn(before.message),
          isOnRoot: before.parents.length === 0,
        });
      id = parent;
      if (before) commit = before;
    }
  }
  return found;
}

/** Turns whose commits stand on the commits of the turns before them, down to the root. */
function soundTurns(
  database: Database,
  { links, layout }: Conversation,
  found: ReadonlyMap<string, Found>,
): Map<string, ObjectId> {
  const recorded = new Set(
    statement(
      database,
      'SELECT id FROM turns WHERE session = (SELECT session FROM turns WHERE id = ?) AND recorded = 2',
    )
      .all(links[0]?.id ?? '')
      .map((row) => String(row['id'])),
  );
  const byId = new Map(links.map((link) => [link.id, link]));
  const sound = new Map<string, ObjectId>();
  for (const id of layout.branchOf.keys()) {
    const link = byId.get(id);
    const known = link && found.get(link.node);
    if (link === undefined || known === undefined || !recorded.has(id)) continue;
    const parent = link.parent === null ? undefined : byId.get(link.parent);
    const fits = parent
      ? sound.has(parent.id) && known.before === parent.node
      : known.isOnRoot && known.before === undefined;
    if (fits) sound.set(id, known.commit);
  }
  return sound;
}

/** @throws UserError `damaged` when a file is missing or other than its message. */
function compareFiles(
  database: Database,
  mirror: Mirror,
  { links, layout }: Conversation,
  sound: ReadonlyMap<string, ObjectId>,
): void {
  const parents = new Map(links.map(({ id, parent }) => [id, parent]));
  const checked = new Set<string>();
  for (const tip of layout.tips.values()) {
    let at: string | null | undefined = tip;
    while (at !== null && at !== undefined && !sound.has(at)) at = parents.get(at);
    const commit = at === null || at === undefined ? undefined : sound.get(at);
    if (commit === undefined) continue;
    const tree = readMessages(mirror, commit);
    const files = new Map(decodeTree(tree.bytes).map(({ name, id }) => [name, id]));
    for (let id = at; id !== null && id !== undefined && !checked.has(id); id = parents.get(id)) {
      checked.add(id);
      // Those that became more complete since ride along with the next commit.
      const isLate = statement(database, 'SELECT 1 FROM outbox WHERE turn = ?').get(id);
      for (const node of isLate ? [] : nodesOfTurn(database, id)) {
        const name = messageFile(node);
        const blob = files.get(name);
        if (blob !== objectId('blob', messageBytes(node)))
          throw new UserError('damaged', `${name} is not what was said`, { file: name });
        mirror.objects.read(blob, 'blob');
      }
    }
  }
}

/** Each branch ends where the DAG's does, as far as its commits are there. */
function alignBranches(
  mirror: Mirror,
  { links, layout }: Conversation,
  sound: ReadonlyMap<string, ObjectId>,
): readonly string[] {
  const repairs: string[] = [];
  const parents = new Map(links.map(({ id, parent }) => [id, parent]));
  const wanted = new Map<string, ObjectId>();
  for (const [branch, tip] of layout.tips) {
    let at: string | null | undefined = tip;
    while (at !== null && at !== undefined && layout.branchOf.get(at) === branch && !sound.has(at))
      at = parents.get(at);
    const isOwn = at !== null && at !== undefined && layout.branchOf.get(at) === branch;
    const commit = isOwn && at ? sound.get(at) : undefined;
    if (commit !== undefined) wanted.set(branch, commit);
  }
  const ours = new Set(sound.values());
  for (const [branch, tip] of mirrorBranches(mirror)) {
    const to = wanted.get(branch);
    if (to === tip) continue;
    const ref = `refs/heads/${branch}`;
    if (!ours.has(tip)) {
      updateRef(mirror.git, {
        ref: `refs/quarantine/${tip}`,
        from: readRef(mirror.git, `refs/quarantine/${tip}`),
        to: tip,
      });
      repairs.push(
        `${branch} held commits that are no turns of the session; they are kept as refs/quarantine/${tip}.`,
      );
    } else repairs.push(`${branch} was not at its last turn and was moved there.`);
    if (to === undefined) deleteRef(mirror.git, ref);
    else updateRef(mirror.git, { ref, from: tip, to });
  }
  for (const [branch, to] of wanted) {
    const ref = `refs/heads/${branch}`;
    if (readRef(mirror.git, ref) === undefined) {
      updateRef(mirror.git, { ref, from: undefined, to });
      repairs.push(`${branch} was missing and is there again.`);
    }
  }
  return repairs;
}
