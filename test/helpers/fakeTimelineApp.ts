/**
 * A `TimelineApp` in memory for tests of hosts: it holds what a test puts in, rewinds by marking turns, and touches no
 * file. What its methods answer is as plain as the interface allows; the real rules are tested with the real app.
 */
import type {
  Disposable,
  Finding,
  PendingOperation,
  RedoPreview,
  RewindOptions,
  Side,
  SideContent,
  SnapshotUse,
  TimelineApp,
  TurnRecorder,
} from '../../src/app/timelineApp.ts';
import { UserError } from '../../src/core/errors.ts';
import {
  asOperationId,
  asSessionId,
  asTurnId,
  type OperationId,
  type Root,
  type SessionId,
  type TurnId,
} from '../../src/core/ids.ts';
import { takenBackLabel } from '../../src/core/operationLabel.ts';
import type { SnapshotSummary } from '../../src/core/snapshotSummary.ts';
import type {
  ConflictPath,
  MemoryPreview,
  OperationKind,
  OperationReport,
  OperationSummary,
  PlannedPath,
  RewindPreview,
  SessionSummary,
  TurnSummary,
} from '../../src/core/timeline.ts';
import { fakeHistory } from './fakeHistory.ts';
import { choiceOf, conflictOutcome, outcome, plan, planned, refuse } from './fakeOutcomes.ts';
import { FakeProjects } from './fakeProjects.ts';

/** What a rewind of a turn meets; paths that are not named here are the turn's own files, all to be written. */
export interface FakePlan {
  readonly paths?: readonly PlannedPath[];
  readonly conflicts?: readonly ConflictPath[];
  readonly notRestorable?: RewindPreview['notRestorable'];
  readonly warnings?: readonly string[];
  readonly memory?: MemoryPreview;
}

interface FakeAct {
  readonly kind: OperationKind;
  readonly session: SessionId;
  readonly label: string;
  /** Taken back by it. */
  readonly turns: readonly TurnSummary[];
}

export class FakeTimelineApp implements TimelineApp {
  readonly history = fakeHistory();
  readonly sessionList: SessionSummary[] = [];
  readonly turnList: TurnSummary[] = [];
  /** Oldest first. */
  readonly operationList: OperationSummary[] = [];
  pendingList: PendingOperation[] = [];
  findings: Finding[] = [];
  /** Those of `findings` that `repair` takes away. */
  mendable: Finding[] = [];
  readonly plans = new Map<TurnId, FakePlan>();
  /** Turn, path and side, or operation and path, joined by spaces. */
  readonly contents = new Map<string, SideContent>();
  /** Names of the methods called that would have changed something, with what they were given. */
  readonly calls: unknown[][] = [];
  disposed = false;
  readonly #listeners = new Set<() => void>();
  readonly #root: Root;

  constructor(root = '/repo') {
    this.#root = root as Root;
  }

  put(turn: TurnId, path: string, before: SideContent, after: SideContent): void {
    this.contents.set(`${turn} ${path} before`, before);
    this.contents.set(`${turn} ${path} after`, after);
  }

  /** As if another process had written. */
  change(): void {
    for (const listener of this.#listeners) listener();
  }

  readonly saves: string[] = [];

  noteSave(file: string): void {
    this.saves.push(file);
  }

  readonly projects = new FakeProjects();

  memoryContext(): Promise<never> {
    return Promise.reject(new UserError('unsupported', 'There is no memory here.'));
  }

  memory(): Promise<never> {
    return Promise.reject(new UserError('unsupported', 'There is no memory here.'));
  }

  async idle(): Promise<void> {
    // Nothing is ever due.
  }

  rootOf(): Root {
    return this.#root;
  }

  /** Newest first. Its tree differs from the present in the paths of `snapshotPlan`. */
  readonly snapshotList: SnapshotSummary[] = [];
  snapshotPlan: FakePlan = {};

  snapshots(): SnapshotUse {
    const find = (id: string): SnapshotSummary => {
      const found = this.snapshotList.find((each) => each.id.startsWith(id));
      if (found) return found;
      throw new UserError('notFound', `There is no snapshot ${id}.`, { id });
    };
    const plan = () => ({
      paths: this.snapshotPlan.paths ?? [],
      conflicts: this.snapshotPlan.conflicts ?? [],
      notRestorable: this.snapshotPlan.notRestorable ?? [],
    });
    return {
      list: async () => this.snapshotList,
      take: async (label) => {
        this.calls.push(['takeSnapshot', label]);
        const [newest] = this.snapshotList;
        if (!newest) throw new Error('no sample');
        return { snapshot: newest, isNew: true, files: 3, skipped: [], skippedCounts: {} };
      },
      compare: async (first, second) => ({
        before: find(first),
        after: second === undefined ? find('') : find(second),
        changes: plan().paths.map(({ path }) => ({ path, change: 'modified' as const })),
      }),
      content: async (id, path) =>
        this.contents.get(`${find(id).id} ${path}`) ?? { kind: 'absent' as const },
      previewRestore: async (id) => ({ ...plan(), snapshot: find(id) }),
      restore: async (id, options = {}) => {
        this.calls.push(['restoreSnapshot', id, options]);
        const label = `Restored snapshot ${find(id).shortId}`;
        const act = { kind: 'restore', session: '' as SessionId, label, turns: [] } as const;
        return this.#perform(act, plan(), options);
      },
    };
  }

  ingest(): number {
    return 0;
  }

  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  sessions(root: Root): readonly SessionSummary[] {
    return this.sessionList
      .filter((session) => session.root === root)
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  turns(session: SessionId): readonly TurnSummary[] {
    return this.turnList.filter((turn) => turn.session === session);
  }

  turn(id: TurnId): TurnSummary {
    const turn = this.turnList.find((each) => each.id === id);
    if (turn === undefined)
      throw new UserError('notFound', `There is no turn ${id}.`, { turn: id });
    return turn;
  }

  operations(): readonly OperationSummary[] {
    return this.operationList.toReversed();
  }

  redoable(_root: Root, session?: SessionId): OperationSummary | undefined {
    return this.operationList.findLast(
      (each) =>
        each.kind !== 'redo' &&
        !each.undone &&
        !each.pruned &&
        (session === undefined || each.session === session),
    );
  }

  content(turn: TurnId, path: string, side: Side): SideContent {
    const reason = 'nothing is stored';
    return this.contents.get(`${turn} ${path} ${side}`) ?? { kind: 'unavailable', reason };
  }

  replaced(operation: OperationId, path: string): SideContent {
    const reason = 'nothing is stored';
    return this.contents.get(`${operation} ${path}`) ?? { kind: 'unavailable', reason };
  }

  async preview(id: TurnId, options: RewindOptions = {}): Promise<RewindPreview> {
    const turn = this.turn(id);
    if (turn.damaged !== null)
      throw new UserError('damaged', `Turn ${turn.number} is damaged: ${turn.damaged}`, {
        turn: id,
      });
    if (turn.end === 'running' && options.force !== true)
      throw new UserError('running', `The agent is still working on turn ${turn.number}.`, {
        turn: id,
      });
    const turns = this.turns(turn.session).filter(
      (each) => each.number >= turn.number && each.rewoundBy === null,
    );
    const plan = this.plans.get(id) ?? {};
    const conflicts = plan.conflicts ?? [];
    return {
      turn,
      turns,
      paths: plan.paths ?? planned(turns, conflicts),
      conflicts,
      notRestorable: plan.notRestorable ?? [],
      warnings: plan.warnings ?? [],
      ...(plan.memory && { memory: plan.memory }),
    };
  }

  async rewind(id: TurnId, options: RewindOptions = {}): Promise<OperationReport> {
    const preview = await this.preview(id, options);
    const { turn, turns } = preview;
    const label = `Rewound to before turn ${turn.number}`;
    refuse(preview, options);
    this.calls.push(['rewind', id, options]);
    return this.#perform({ kind: 'rewind', session: turn.session, label, turns }, preview, options);
  }

  async previewRevert(id: TurnId): Promise<RedoPreview> {
    const turn = this.turn(id);
    const { paths, conflicts = [], notRestorable = [], memory } = this.plans.get(id) ?? {};
    return {
      paths: paths ?? planned([turn], conflicts),
      conflicts,
      notRestorable,
      ...(memory && { memory }),
    };
  }

  async revertTurn(id: TurnId, options: RewindOptions = {}): Promise<OperationReport> {
    const turn = this.turn(id);
    const preview = await this.previewRevert(id);
    refuse(preview, options);
    this.calls.push(['revertTurn', id, options]);
    return this.#perform(
      {
        kind: 'revert',
        session: turn.session,
        label: `Reverted turn ${turn.number}`,
        turns: [turn],
      },
      preview,
      { conflicts: 'merge', ...options },
    );
  }

  async previewRestore(id: TurnId, path: string): Promise<RedoPreview> {
    const { conflicts = [] } = this.plans.get(id) ?? {};
    const met = conflicts.filter((each) => each.path === path);
    const paths = met.length > 0 ? [] : [plan(path, 'write')];
    return { paths, conflicts: met, notRestorable: [] };
  }

  async restoreFile(
    id: TurnId,
    path: string,
    side: Side,
    options: RewindOptions = {},
  ): Promise<OperationReport> {
    const { number, session } = this.turn(id);
    const preview = await this.previewRestore(id, path);
    refuse(preview, options);
    this.calls.push(['restoreFile', id, path, side, options]);
    const label = `Restored ${path} to ${side} turn ${number}`;
    return this.#perform({ kind: 'restore', session, label, turns: [] }, preview, options);
  }

  async previewRedo(id: OperationId): Promise<RedoPreview> {
    const { paths, undone, pruned } = this.#operation(id);
    if (undone || pruned)
      throw new UserError('nothingToDo', 'That operation cannot be taken back.', { operation: id });
    return {
      paths: paths.map((path) => plan(path, 'write')),
      conflicts: [],
      notRestorable: [],
    };
  }

  async redo(id: OperationId, options: RewindOptions = {}): Promise<OperationReport> {
    const operation = this.#operation(id);
    const preview = await this.previewRedo(id);
    this.calls.push(['redo', id, options]);
    const turns = this.turnList.filter((turn) => turn.rewoundBy === id);
    this.operationList[this.operationList.indexOf(operation)] = { ...operation, undone: true };
    const label = takenBackLabel(operation.label);
    const act: FakeAct = { kind: 'redo', session: operation.session, label, turns: [] };
    const report = this.#perform(act, preview, options);
    this.#mark(turns, null);
    return { ...report, turns: turns.map((turn) => turn.id) };
  }

  pending(): readonly PendingOperation[] {
    return this.pendingList;
  }

  async recover(operation: OperationId, how: 'finish' | 'rollBack'): Promise<void> {
    this.calls.push(['recover', operation, how]);
    this.pendingList = this.pendingList.filter((each) => each.operation !== operation);
  }

  async doctor(): Promise<readonly Finding[]> {
    return this.findings;
  }

  /** Mends what `mendable` holds. */
  async repair(): Promise<readonly Finding[]> {
    if (this.pendingList.length > 0)
      throw new UserError('interrupted', 'An earlier rewind was cut short.');
    this.calls.push(['repair']);
    this.findings = this.findings.filter((finding) => !this.mendable.includes(finding));
    return this.mendable.map(({ subject }) => ({ severity: 'note', subject, text: 'It is well.' }));
  }

  async erase(): Promise<{ readonly sessions: number; readonly turns: number }> {
    const report = { sessions: 1, turns: this.turnList.length };
    this.turnList.length = 0;
    return report;
  }

  recorder(): TurnRecorder {
    throw new Error('the fake app records nothing');
  }

  dispose(): void {
    this.disposed = true;
    this.#listeners.clear();
  }

  #perform(act: FakeAct, preview: RedoPreview, options: RewindOptions): OperationReport {
    const { kind, session, label, turns } = act;
    const { paths, conflicts, notRestorable } = preview;
    const left = conflicts
      .map(({ path }) => path)
      .filter((path) => choiceOf(path, options) === 'keep' && options.byHand?.has(path) !== true);
    const kept = left.length > 0;
    const id = asOperationId(`op${this.operationList.length + 1}`);
    const operation = kept && paths.length === 0 ? null : id;
    if (operation !== null)
      this.operationList.push({
        id,
        kind,
        session,
        at: 0,
        label,
        paths: paths.map(({ path }) => path),
        undone: false,
        pruned: false,
        ...(kept &&
          turns[0] && {
            partly: { seq: turns[0].seq, seqs: turns.map(({ seq }) => seq), kept: left },
          }),
      });
    if (!kept) this.#mark(turns, operation);
    return {
      operation,
      kind,
      complete: !kept,
      paths: [
        ...paths.map(({ path, act: planned }) => outcome(path, planned)),
        ...conflicts.map((conflict) => conflictOutcome(conflict, options)),
        ...notRestorable.map(({ path, reason }) => ({
          path,
          result: 'notRestorable' as const,
          why: reason,
        })),
      ],
      turns: kept ? [] : turns.map((turn) => turn.id),
    };
  }

  #operation(id: OperationId): OperationSummary {
    const operation = this.operationList.find((each) => each.id === id);
    if (operation === undefined)
      throw new UserError('notFound', `There is no operation ${id}.`, { operation: id });
    return operation;
  }

  #mark(turns: readonly TurnSummary[], rewoundBy: OperationId | null): void {
    for (const turn of turns) this.turnList[this.turnList.indexOf(turn)] = { ...turn, rewoundBy };
  }
}

/** A session with defaults for whatever a test does not care about. */
export function fakeSession(
  given: Partial<Omit<SessionSummary, 'id'>> & { readonly id: string },
): SessionSummary {
  const { id, ...rest } = given;
  return {
    id: asSessionId(id),
    agent: 'claude',
    root: '/repo',
    title: 'a session',
    startedAt: 0,
    updatedAt: 0,
    endedAt: null,
    turns: 0,
    ...rest,
  };
}

/** A turn that has ended, with defaults for whatever a test does not care about. */
export function fakeTurn(
  given: Partial<Omit<TurnSummary, 'id' | 'session' | 'number'>> & {
    readonly id: string;
    readonly session: string;
    readonly number: number;
  },
): TurnSummary {
  const { id, session, number, ...rest } = given;
  return {
    id: asTurnId(id),
    session: asSessionId(session),
    number,
    seq: number,
    agent: 'claude',
    model: null,
    prompt: `prompt ${number}`,
    reply: null,
    startedAt: 0,
    endedAt: 1000,
    end: 'stop',
    tools: [],
    files: [],
    unprotected: [],
    uncapturedShell: false,
    rewoundBy: null,
    prunedAt: null,
    damaged: null,
    ...rest,
  };
}

export function bytesSide(text: string | Uint8Array, mode?: number): SideContent {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { kind: 'bytes', bytes, verified: true, ...(mode === undefined ? {} : { mode }) };
}
