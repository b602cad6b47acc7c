/** The composition root: wires stores and use cases into a `TimelineApp`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { databaseFile } from '../base/home.ts';
import { rootOf } from '../base/root.ts';
import type { TurnCommit } from '../core/autoCommit.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import type { OperationId, Root, TurnId } from '../core/ids.ts';
import type { RetentionLimits } from '../core/retention.ts';
import type { TurnSummary } from '../core/timeline.ts';
import { membershipOf } from '../project/registry.ts';
import { turnCommitOf, turnCommitsOf } from '../project/turnCommits.ts';
import { openDatabase } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import {
  operationsOf,
  type StoredTurn,
  sessionsOf,
  turnById,
  turnsOf,
} from '../session/timelineStore.ts';
import { adoptFromDisk } from './adoptFromDisk.ts';
import { autoCommitter } from './autoCommit.ts';
import { watchHome } from './changeWatcher.ts';
import { damageReader } from './damageReader.ts';
import { examine } from './doctor.ts';
import { noteEditorSave } from './editorSaves.ts';
import { eraseRoot } from './erase.ts';
import { dismissHelper } from './helper/dismissHelper.ts';
import { historyOf } from './history.ts';
import { historyKeeper } from './historyKeeper.ts';
import { ingest } from './ingest.ts';
import { manualRecorder } from './manualRecorder.ts';
import { memoryFindings } from './memoryFindings.ts';
import { openedMemory } from './openedMemory.ts';
import { openedSnapshots } from './openedSnapshots.ts';
import { type OperationContext, pendingOperations, recover } from './operations.ts';
import { previewRedoOf, previewRestoreOf, previewRevertOf, previewRewind } from './previewer.ts';
import { projectUse } from './projects.ts';
import { reconstructedContent } from './reconstructed.ts';
import { repair } from './repair.ts';
import { replacedFile } from './replacedFile.ts';
import { restoreNumbers } from './restoreNumbers.ts';
import { retentionKeeper } from './retention.ts';
import { redo, restoreFile, revertTurn, rewind } from './rewinder.ts';
import { sharedLimits } from './sharedLimits.ts';
import type { HelperUse } from './snapshots.ts';
import type { Disposable, TimelineApp } from './timelineApp.ts';
import { contentOf } from './turnFiles.ts';

export interface TimelineAppOptions {
  /** Our home store; absolute. Hosts take it from `MEMCODE_TIMELINE_HOME` or `~/.memcode/timeline`. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** One whole sentence; never file contents or prompts. */
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
  /** For git, which is found on its PATH. Default empty: merging and warnings about commits are then left out. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The user's home folder, which is never a root by accident. */
  readonly userHome?: string;
  /** Read whenever the limits are enforced. Default: what another host was given last, else 1 GiB and 90 days for each root. */
  readonly retention?: () => RetentionLimits;
  /** Has helper processes do the snapshots. Default: this process does. */
  readonly helper?: HelperUse;
  /** Whether agents' work in this folder may be committed, where its project says so. Default: yes. */
  readonly mayCommit?: (folder: string) => boolean;
  /** Milliseconds that a commit waits for another git process to let go of the index. Default 10 s. */
  readonly commitPatience?: number;
  /** Called at each place where a crash would matter: tests throw or exit there. */
  readonly probe?: (at: string) => void;
}

/** Opens the stores, creating `home` (mode 0700) if need be. @throws UserError `database`, `unsupported`. */
export function openTimelineApp(options: TimelineAppOptions): TimelineApp {
  const { home, now, log } = options;
  makeFolder(home);
  const database = openDatabase(databaseFile(home));
  const context: OperationContext = {
    home,
    database,
    now,
    log,
    environment: options.environment ?? {},
    probe: options.probe ?? (() => undefined),
  };
  const damageOf = damageReader();
  const summaryWith = (turn: StoredTurn, autoCommit: TurnCommit | undefined): TurnSummary => ({
    ...summaryOf(turn, damageOf),
    ...(autoCommit && { autoCommit }),
  });
  const summary = (turn: StoredTurn) => summaryWith(turn, turnCommitOf(database, turn.id));
  const retain = retentionKeeper(context, sharedLimits(home, options.retention));
  const snapshots = openedSnapshots(context, {
    userHome: options.userHome ?? os.homedir(),
    ...(options.helper && { helper: options.helper }),
  });
  const userHome = options.userHome ?? os.homedir();
  const keeper = historyKeeper({ ...context, userHome });
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const patience = options.commitPatience ?? 10_000;
  const commits = autoCommitter(context, {
    mayCommit: options.mayCommit ?? (() => true),
    patience,
    changed: tell,
  });
  const memory = openedMemory(context, options.userHome ?? os.homedir());
  let watcher: Disposable | undefined;
  let areNumbersRestored = false;

  const need = (id: TurnId): StoredTurn => {
    const turn = turnById(database, id);
    if (turn) return turn;
    throw new UserError('notFound', `There is no turn ${id}.`, { turn: id });
  };
  const rootOfOperation = (operation: OperationId): Root => {
    const row = statement(database, 'SELECT root FROM operations WHERE id = ?').get(operation);
    if (row) return String(row['root']) as Root;
    throw new UserError('notFound', `There is no operation ${operation}.`, { operation });
  };
  /** A busy database leaves the spool for later: nobody waits for it and nothing is lost. */
  const takeIn = (): number => {
    try {
      const count = ingest(context);
      keeper.record();
      if (!areNumbersRestored) restoreNumbers(context);
      areNumbersRestored = true;
      if (count > 0) retain();
      commits.kick();
      return count;
    } catch (error) {
      if (!isUserError(error, 'locked')) throw error;
      log('warn', messageOf(error));
      return 0;
    }
  };
  const changed = () => {
    try {
      takeIn();
    } catch (error) {
      log('error', `New events could not be taken in: ${messageOf(error)}`);
    }
    for (const listener of [...listeners]) listener();
  };

  return {
    history: historyOf({ ...context, userHome }, keeper),
    rootOf: (folder) => rootOf(folder, options.userHome ?? os.homedir()),
    noteSave(file) {
      try {
        const root = rootOf(path.dirname(file), options.userHome ?? os.homedir());
        noteEditorSave(home, root, file, now());
      } catch (error) {
        log('warn', `A save was not noted: ${messageOf(error)}`);
      }
    },
    ingest: takeIn,
    onDidChange(listener) {
      watcher ??= watchHome(home, changed, (text) => log('warn', text));
      keeper.start();
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    sessions(root) {
      adoptFromDisk(context, root);
      return sessionsOf(database, root).map((session) => {
        const project = membershipOf(database, session.id)?.project;
        return project ? { ...session, project } : session;
      });
    },
    turns(session) {
      const commits = turnCommitsOf(database, session);
      return turnsOf(database, session).map((turn) => summaryWith(turn, commits.get(turn.id)));
    },
    turn: (id) => summary(need(id)),
    operations: (root) => operationsOf(database, root),
    redoable: (root, session) =>
      operationsOf(database, root).find(
        (o) =>
          o.kind !== 'redo' &&
          !o.undone &&
          !o.pruned &&
          (session === undefined || o.session === session),
      ),
    content(id, at, side) {
      const turn = need(id);
      return (
        (turn.imported && reconstructedContent(context, turn, at, side)) ||
        contentOf(home, turn, at, side)
      );
    },
    replaced: (operation, at) => replacedFile(home, rootOfOperation(operation), operation, at),
    async preview(id, choices = {}) {
      const turn = need(id);
      const { span, ...rest } = await previewRewind(context, turn, choices);
      return { turn: summary(turn), turns: span.map((each) => summary(each)), ...rest };
    },
    rewind: async (id, choices = {}) => rewind(context, need(id), choices),
    previewRevert: async (id, choices = {}) => previewRevertOf(context, need(id), choices),
    revertTurn: async (id, choices = {}) => revertTurn(context, need(id), choices),
    previewRestore: async (id, at, side, choices = {}) =>
      previewRestoreOf(context, need(id), at, side, choices),
    restoreFile: async (id, at, side, choices = {}) =>
      restoreFile(context, need(id), at, side, choices),
    previewRedo: async (operation, choices = {}) =>
      previewRedoOf(context, rootOfOperation(operation), operation, choices),
    redo: async (operation, choices = {}) =>
      redo(context, rootOfOperation(operation), operation, choices),
    snapshots: (root) => snapshots.of(root),
    memory: () => memory.use(),
    memoryContext: () => memory.context(),
    projects: projectUse(context, {
      changed: tell,
      async decide() {
        commits.kick();
        await commits.idle();
      },
      patience,
    }),
    idle: () => commits.idle(),
    pending: (root) => pendingOperations(context, root),
    recover: async (operation, how) =>
      recover(context, pendingRoot(context, operation), operation, how),
    doctor: async (root) => [
      ...(await memoryFindings(home, memory, root)),
      ...examine(context, root),
    ],
    repair: async (root) => repair(context, root),
    async erase(root) {
      takeIn();
      // It would go on writing what is erased.
      await dismissHelper(home, root);
      return eraseRoot(context, root);
    },
    recorder: (root, session, agent) => manualRecorder(context, root, session, agent, takeIn),
    dispose() {
      watcher?.dispose();
      keeper.stop();
      commits.dispose();
      snapshots.dispose();
      memory.dispose();
      listeners.clear();
      database.close();
    },
  };
}

/** A pending operation is not in the database yet: its journal says which root it belongs to. */
function pendingRoot(context: OperationContext, operation: OperationId): Root {
  const roots = path.join(context.home, 'roots');
  for (const name of fs.existsSync(roots) ? fs.readdirSync(roots) : []) {
    const file = path.join(roots, name, 'operations', operation, 'journal.json');
    if (!fs.existsSync(file)) continue;
    const journal: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (typeof journal === 'object' && journal !== null && 'root' in journal)
      return String(journal.root) as Root;
  }
  throw new UserError('notFound', `There is no operation ${operation}.`, { operation });
}

function summaryOf(turn: StoredTurn, damageOf: (turn: StoredTurn) => string | null): TurnSummary {
  const { root: _root, lastAt: _lastAt, head: _head, ...rest } = turn;
  return { ...rest, damaged: damageOf(turn) };
}
