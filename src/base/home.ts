/** Places inside our home store (`~/.memcode/timeline`). Names only; nothing is created here. */
import path from 'node:path';
import { type OperationId, type Root, type SessionId, sessionFolder } from '../core/ids.ts';
import { rootId } from './root.ts';

export const databaseFile = (home: string): string => path.join(home, 'timeline.db');
/** One small file an event, written by hooks and taken in by whoever opens the timeline next. */
export const spoolFolder = (home: string): string => path.join(home, 'spool');
/** Limits for saved states that a person has set. */
export const limitsFile = (home: string): string => path.join(home, 'limits.json');
/** What of a work tree snapshots take, and how many stay. */
export const snapshotSettingsFile = (home: string): string =>
  path.join(home, 'snapshot-settings.json');
export const logFile = (home: string): string => path.join(home, 'hook.log');
/** Room for hooks on a full disk. */
export const reserveFile = (home: string): string => path.join(home, 'reserve');
export const helperLogFile = (home: string): string => path.join(home, 'helper.log');
/** State of a session that hooks need between two of their processes, and its lock. */
export const liveFolder = (home: string, session: SessionId): string =>
  path.join(liveFolders(home), sessionFolder(session));
export const liveFolders = (home: string): string => path.join(home, 'live');
export const rootFolder = (home: string, root: Root): string =>
  path.join(home, 'roots', rootId(root));
/** Bare repository of the snapshots. */
export const snapshotRepository = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'store.git');
/** Post-images by content: `<first two hex digits>/<the rest>`. */
export const postImageFolder = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'post-images');
/** What the user saved in editors lately: one JSON line each. */
export const editorSavesFile = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'editor-saves.jsonl');
/** Records that cannot be understood, kept for a person to look at. */
export const setAsideFolder = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'set-aside');
export const operationsFolder = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'operations');
export const operationFolder = (home: string, root: Root, operation: OperationId): string =>
  path.join(operationsFolder(home, root), operation);
/** The git mirrors of sessions, for people to look into. */
export const mirrorsFolder = (home: string): string => path.join(home, 'sessions');
export const mirrorFolder = (home: string, session: SessionId): string =>
  path.join(mirrorsFolder(home), sessionFolder(session));
/** What transcripts tell of files, by content: to be looked at, never restored by itself. */
export const reconstructedFolder = (home: string, root: Root): string =>
  path.join(rootFolder(home, root), 'reconstructed');
/** Facts, notes and presets, which every new session starts with. */
export const memoryFolder = (home: string): string => path.join(home, 'memory');
