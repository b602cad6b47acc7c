/**
 * The checkpoint log of one session under memcode's names: `new`, `begin`, `snapshot`, `empty`, `list`, `restore`
 * (spec/checkpoints A.4). Works on the store alone, without turns and database; the timeline's use cases in `src/app`
 * build on the same parts.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { withLockHeld } from '../base/fileLock.ts';
import { operationsFolder, postImageFolder } from '../base/home.ts';
import { realFolder } from '../base/root.ts';
import { UserError } from '../core/errors.ts';
import {
  asOperationId,
  asSessionId,
  type OperationId,
  type Root,
  type SessionId,
} from '../core/ids.ts';
import { labelOf } from '../core/label.ts';
import type { PathOutcome } from '../core/timeline.ts';
import { sameKey } from './canonicalKey.ts';
import type { CaptureResult, CaptureTarget } from './capture.ts';
import { captureThrough } from './captureThrough.ts';
import { keysThrough } from './keysThrough.ts';
import { claimSeq, lockFile } from './liveSession.ts';
import { moveCheckpoints } from './moveCheckpoints.ts';
import { checkpointPlace } from './places.ts';
import { readManifestFile } from './readManifest.ts';
import { readSession, type SessionLog } from './readSession.ts';
import { rewindFacts } from './rewindFacts.ts';
import { rewindSteps, type StepOptions } from './rewindSteps.ts';
import { closeOperation, runOperation } from './runOperation.ts';
import { endCheckpoint, recordAfter } from './seal.ts';

export interface CheckpointLogOptions {
  /** Our home store; absolute. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Written into manifests. Default `unknown`. */
  readonly agent?: string;
}

export interface RestoreReport {
  /** Null when nothing was written. */
  readonly operation: OperationId | null;
  /** Every path of the span, in the order it was first touched. */
  readonly paths: readonly PathOutcome[];
}

export class CheckpointLog {
  readonly #root: Root;
  readonly #session: SessionId;
  readonly #options: CheckpointLogOptions;

  /** Writes nothing. @throws UserError `notFound` when `root` is no folder. */
  constructor(root: string, session: string, options: CheckpointLogOptions) {
    this.#root = realFolder(root);
    this.#session = asSessionId(session);
    this.#options = options;
  }

  /** Opens the checkpoint of a turn. Its number is used up; the work tree's store is not touched before a snapshot. */
  begin(label: string): Checkpoint {
    const { home, now, agent = 'unknown' } = this.#options;
    const seq = claimSeq(home, this.#root, this.#session, agent);
    const head = {
      seq,
      label: labelOf(label),
      at: new Date(now()).toISOString(),
      agent,
      turn: seq,
    };
    const target = {
      root: this.#root,
      session: this.#session,
      head,
      lock: lockFile(home, this.#session),
    };
    return new Checkpoint(target, postImageFolder(home, this.#root));
  }

  /** Oldest first; damaged ones apart. */
  list(): SessionLog {
    return readSession(this.#root, this.#session);
  }

  /**
   * Files back to the state before checkpoint `seq`, all or nothing, with a redo point; what was consumed moves to
   * `.rewound` unless conflicts were kept.
   * @throws UserError `notFound` (no such checkpoint), `damaged`, `conflicts`, `fileSystem`, `locked`.
   */
  async restore(seq: number, options: StepOptions = {}): Promise<RestoreReport> {
    const { home, now } = this.#options;
    const folder = operationsFolder(home, this.#root);
    makeFolder(folder);
    const done = await withLockHeld(path.join(folder, 'lock'), { wait: 2_000 }, () =>
      this.#restore(seq, options, home, now()),
    );
    if (done) return done.value;
    throw new UserError(
      'locked',
      'Another rewind is going on in this project. Try again when it is done.',
    );
  }

  async #restore(
    seq: number,
    options: StepOptions,
    home: string,
    startedAt: number,
  ): Promise<RestoreReport> {
    const span = rewindFacts(this.#root, this.#session, seq);
    if (span.checkpoints[0]?.seq !== seq) {
      throw new UserError(
        'notFound',
        `There is no checkpoint ${seq} in session ${this.#session}.`,
        { seq },
      );
    }
    const planned = rewindSteps(span, options);
    const complete = planned.kept.length === 0;
    if (planned.steps.length === 0 && !complete)
      return { operation: null, paths: planned.outcomes };
    const operation = asOperationId(randomUUID());
    const journal = await runOperation(
      home,
      this.#root,
      {
        format: 1,
        operation,
        kind: 'rewind',
        root: this.#root,
        session: this.#session,
        startedAt,
        phase: 'prepared',
        label: `Restored checkpoint ${seq}`,
        steps: planned.steps,
        effect: {
          kind: complete ? 'takeBack' : 'none',
          seqs: span.checkpoints.map((c) => c.seq),
          owner: operation,
        },
      },
      () => undefined,
    );
    moveCheckpoints(this.#root, this.#session, journal.effect);
    closeOperation(home, this.#root, journal);
    return { operation, paths: planned.outcomes };
  }
}

export class Checkpoint {
  readonly #target: CaptureTarget;
  readonly #postImages: string;

  constructor(target: CaptureTarget, postImages: string) {
    this.#target = target;
    this.#postImages = postImages;
  }

  get seq(): number {
    return this.#target.head.seq;
  }

  /** Saves the pre-image of a path (absolute, or relative to the root) unless this turn has one. Never throws. */
  snapshot(given: string): CaptureResult {
    return captureThrough(this.#target, given, this.#target.root);
  }

  /** Records what the agent left at a path that has a pre-image. @throws system errors. */
  edited(given: string): void {
    const keys = keysThrough(this.#target, [given], this.#target.root);
    recordAfter(this.#target, this.#postImages, (row) => keys.some((k) => sameKey(row.path, k)));
  }

  /** True while no path is recorded. */
  empty(): boolean {
    const { root, session } = this.#target;
    return (
      (readManifestFile(checkpointPlace(root, session, this.seq)).value?.files.length ?? 0) === 0
    );
  }

  /** Post-images, and rows of unchanged paths dropped. @throws system errors. */
  end(): void {
    endCheckpoint(this.#target, this.#postImages, true);
  }
}
