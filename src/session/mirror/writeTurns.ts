/**
 * Adds turns to a mirror: one commit each on the commit of the turn before it, all in one pack, then the branches. Nothing
 * is checked out, so it does not matter what a person looks at meanwhile. The same turns make the same commits.
 */
import path from 'node:path';
import { mainBranch } from '../../core/branches.ts';
import { UserError } from '../../core/errors.ts';
import type { MessageNode } from '../../core/history.ts';
import type { TurnEnd } from '../../core/timeline.ts';
import { turnMessage } from '../../core/turnMessage.ts';
import { readRef, updateRef } from '../../git/bareRepository.ts';
import {
  decodeCommit,
  decodeTree,
  encodeCommit,
  encodeTree,
  fileMode,
  folderMode,
  type ObjectId,
} from '../../git/gitObject.ts';
import { PackWriter } from '../../git/packWriter.ts';
import { MessageTree } from './messageTree.ts';
import {
  messageBytes,
  messageFile,
  messagesFolder,
  metaBytes,
  metaFile,
  type SessionFacts,
} from './mirrorFiles.ts';
import { identity, type Mirror } from './mirrorRepository.ts';

export interface TurnToMirror {
  readonly id: string;
  readonly parent: string | null;
  readonly branch: string;
  /** Depth on its branch. */
  readonly number: number;
  readonly prompt: string;
  readonly reply: string | null;
  readonly end: TurnEnd;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  /** By seq. */
  readonly nodes: readonly MessageNode[];
}

export interface WriteOptions {
  readonly durable?: boolean;
  /** Called before each step, for faults in tests. */
  readonly probe?: (at: string) => void;
}

export interface Written {
  /** Turn -> commit. */
  readonly commits: ReadonlyMap<string, ObjectId>;
  readonly late: ReadonlySet<string>;
}

/** Turns between two breaths. */
const breath = 8;

/** A branch is not where we left it: the mirror has to be looked over. */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}

/**
 * @param turns those before their followers; asked for one by one
 * @param known commits of the turns that are there
 * @param lateNodes messages of turns that are there, to ride along with the first commit that has those turns before it
 * @returns commits of the new turns, and the turns whose late messages are in them
 * @throws MovedError; UserError `damaged`, `locked`; system errors
 */
export async function writeTurns(
  mirror: Mirror,
  session: SessionFacts,
  turns: Iterable<TurnToMirror>,
  known: ReadonlyMap<string, ObjectId>,
  lateNodes: readonly MessageNode[],
  { durable = false, probe = () => undefined }: WriteOptions = {},
): Promise<Written> {
  const pack = new PackWriter(path.join(mirror.git, 'objects', 'pack'), { durable });
  const made = new Map<string, ObjectId>();
  const trees = new Map<string, MessageTree>();
  const tips = new Map<string, { from: ObjectId | undefined; to: ObjectId }>();
  const lateLeft = new Map(Map.groupBy(lateNodes, (node) => node.turn));
  let root: ObjectId | undefined;
  const begin = (): ObjectId => {
    root ??= rootCommit(pack, session);
    return root;
  };
  const commitOf = (turn: string): ObjectId => {
    const id = made.get(turn) ?? known.get(turn);
    if (id === undefined) throw new MovedError(`The turn ${turn} is not in the mirror yet.`);
    return id;
  };
  const treeOf = (turn: string | null): MessageTree => {
    if (turn === null) return MessageTree.empty;
    return trees.get(turn) ?? readMessages(mirror, commitOf(turn));
  };
  for (const turn of turns) {
    const parent = turn.parent === null ? begin() : commitOf(turn.parent);
    const before = treeOf(turn.parent);
    const own = [...turn.nodes, ...takeLate(lateLeft, before)];
    const files = own.map((node) => ({
      name: messageFile(node),
      id: pack.add('blob', messageBytes(node)),
    }));
    const messages = before.with(files, pack);
    const id = pack.add('commit', commitBytes(pack, session, turn, messages, parent));
    made.set(turn.id, id);
    trees.set(turn.id, messages);
    if (turn.parent !== null && trees.size > 64) trees.delete(turn.parent);
    const tip = tips.get(turn.branch);
    if (tip) tip.to = id;
    else tips.set(turn.branch, { from: startOf(turn, known, made), to: id });
    // A host has other things to do meanwhile.
    if (made.size % breath === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  probe('pack');
  const base = pack.finish();
  if (base !== undefined) mirror.objects.addPack(base);
  probe('refs');
  for (const [branch, { from, to }] of tips) moveBranch(mirror, branch, from, to, durable);
  if (base !== undefined) PackWriter.release(base);
  probe('done');
  const late = new Set(lateNodes.map(({ turn }) => turn));
  for (const turn of lateLeft.keys()) late.delete(turn);
  return { commits: made, late };
}

/** Where the branch stands before its first new turn; undefined: it does not exist. */
function startOf(
  turn: TurnToMirror,
  known: ReadonlyMap<string, ObjectId>,
  made: ReadonlyMap<string, ObjectId>,
): ObjectId | undefined {
  const isFirst = turn.branch !== mainBranch && turn.branch.endsWith(replyId(turn));
  if (turn.parent === null || isFirst || made.has(turn.parent)) return undefined;
  return known.get(turn.parent);
}

function replyId({ nodes }: TurnToMirror): string {
  return nodes.find(({ role }) => role === 'assistant')?.id ?? '';
}

/** Files that the tree has under the same turn, in another version. */
function takeLate(left: Map<string, MessageNode[]>, tree: MessageTree): readonly MessageNode[] {
  if (left.size === 0) return [];
  const taken: MessageNode[] = [];
  const names = tree.bytes.toString('latin1');
  for (const [turn, nodes] of left) {
    const reply = nodes[0];
    if (reply === undefined || !names.includes(`-${reply.id.replace(/-[a-z]\d*$/, '')}-`)) continue;
    taken.push(...nodes);
    left.delete(turn);
  }
  return taken;
}

function commitBytes(
  pack: PackWriter,
  session: SessionFacts,
  turn: TurnToMirror,
  messages: MessageTree,
  parent: ObjectId,
): Buffer {
  const reply = turn.nodes.find(({ role }) => role === 'assistant');
  const meta = metaBytes(session, {
    turns: turn.number,
    branch: turn.branch,
    model: reply?.model ?? null,
    updatedAt: turn.endedAt,
  });
  const tree = encodeTree([
    { mode: fileMode, name: metaFile, id: pack.add('blob', meta) },
    ...(messages.id === undefined
      ? []
      : [{ mode: folderMode, name: messagesFolder, id: messages.id }]),
  ]);
  const tools = new Map<string, number>();
  for (const { role, name } of turn.nodes)
    if (role === 'tool' && name !== null) tools.set(name, (tools.get(name) ?? 0) + 1);
  const message = turnMessage({
    number: turn.number,
    prompt: turn.prompt,
    reply: turn.reply,
    tools: [...tools].map(([name, count]) => ({ name, count })),
    duration: reply?.duration ?? null,
    tokens:
      reply === undefined || (reply.inputTokens === null && reply.outputTokens === null)
        ? null
        : (reply.inputTokens ?? 0) + (reply.outputTokens ?? 0),
    end: turn.end,
    node: reply?.id ?? '',
    nodes: turn.nodes.length,
    maxSeq: turn.nodes.at(-1)?.seq ?? 0,
  });
  const commit = {
    tree: pack.add('tree', tree),
    parents: [parent],
    at: Math.floor(turn.endedAt / 1000),
    message,
  };
  return encodeCommit(commit, identity);
}

/** The session before its first turn: what going back from turn 1 leads to. */
function rootCommit(pack: PackWriter, session: SessionFacts): ObjectId {
  const meta = metaBytes(session, {
    turns: 0,
    branch: mainBranch,
    model: null,
    updatedAt: session.startedAt,
  });
  const tree = encodeTree([{ mode: fileMode, name: metaFile, id: pack.add('blob', meta) }]);
  const at = Math.floor(session.startedAt / 1000);
  return pack.add(
    'commit',
    encodeCommit(
      { tree: pack.add('tree', tree), parents: [], at, message: 'session begins' },
      identity,
    ),
  );
}

/** @throws UserError `damaged`. */
export function readMessages(mirror: Mirror, commit: ObjectId): MessageTree {
  const { tree } = decodeCommit(mirror.objects.read(commit, 'commit'));
  const entry = decodeTree(mirror.objects.read(tree, 'tree')).find(
    ({ name }) => name === messagesFolder,
  );
  if (entry === undefined) return MessageTree.empty;
  return MessageTree.from(mirror.objects.read(entry.id, 'tree'), entry.id);
}

function moveBranch(
  { git }: Mirror,
  branch: string,
  from: ObjectId | undefined,
  to: ObjectId,
  durable: boolean,
): void {
  const ref = `refs/heads/${branch}`;
  const moved = updateRef(git, { ref, from, to, durable });
  if (moved === 'done' || readRef(git, ref) === to) return;
  if (moved === 'moved') throw new MovedError(`${ref} is not where it was left.`);
  throw new UserError('locked', `Somebody else is writing ${ref} in ${git}.`, { ref });
}
