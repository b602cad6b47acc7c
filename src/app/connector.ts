/**
 * Connects agents to us: plans the change to an agent's configuration file, so that it can be shown first, and applies
 * it. Connecting and disconnecting again leaves the file, or its absence, as it was to the byte.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type HookCommand, hookCommand } from '../agents/hookCommand.ts';
import type { ConnectableAgent, HookConfig, Scope } from '../agents/hookConfig.ts';
import { hookConfigOf, hookConfigs } from '../agents/hookConfigs.ts';
import { connectedText, disconnectedText, isConnected, settingsOf } from '../agents/hookText.ts';
import { takeBack } from '../agents/jsonText.ts';
import { isUserError, UserError } from '../core/errors.ts';
import {
  type ConnectionRecord,
  hashText,
  readRecord,
  removeRecord,
  writeRecord,
} from './connectionRecord.ts';
import {
  missingFolders,
  readSettings,
  removeSettings,
  targetOf,
  writeSettings,
} from './settingsFile.ts';

export type { ConnectableAgent, Scope } from '../agents/hookConfig.ts';

/** Which configuration file, and what to write into it. */
export interface ConnectionPlace {
  /** One of `knownAgents`. */
  readonly agent: string;
  readonly scope: Scope;
  /** The user's home folder. */
  readonly home: string;
  /** The project's folder; used by scope `project` only. */
  readonly root: string;
  /** Absolute path of the launcher (`launcherFile`). */
  readonly launcher: string;
  /** Our home store. */
  readonly timelineHome: string;
  readonly platform: NodeJS.Platform;
  /** Looked at for variables that move an agent's folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ConnectionPlan {
  readonly agent: ConnectableAgent;
  readonly scope: Scope;
  /** The file that is written: the end of the links, if the agent's file is one. */
  readonly file: string;
  /** null: there is no such file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly changed: boolean;
  /** Sentences to show with the result. */
  readonly notes: readonly string[];
  readonly timelineHome: string;
  /** What to remember with it, or null to forget. */
  readonly record: ConnectionRecord | null;
  /** Folders to remove with the file, if they are empty then. */
  readonly folders: readonly string[];
}

export interface ConnectionStatus {
  readonly agent: ConnectableAgent;
  readonly scope: Scope;
  readonly file: string;
  /** outdated: hooks of ours are there, but not as we would write them now. */
  readonly state: 'connected' | 'outdated' | 'notConnected';
  /** A sentence when the file cannot be understood; the agent will not understand it either. */
  readonly problem: string | null;
}

export interface KnownAgent {
  readonly id: ConnectableAgent;
  readonly name: string;
  /** Its folder in the user's home exists. */
  readonly installed: boolean;
}

/** The agents that can be connected. */
export function knownAgents(
  home: string,
  env: Readonly<Record<string, string | undefined>> = {},
): readonly KnownAgent[] {
  return hookConfigs.map((config) => ({
    id: config.agent,
    name: config.name,
    installed: fs.existsSync(userFolder(config, home, env)),
  }));
}

/** Looks only. @throws UserError `usage` for an unknown agent, `config`, `fileSystem`. */
export function planConnection(place: ConnectionPlace): ConnectionPlan {
  const { config, file, before } = open(place);
  const text = before ?? '';
  const added = connectedText(config, text, commandOf(config, place), file);
  const changed = added.text !== text;
  const earlier = readRecord(place.timelineHome, file, text);
  const isFirst = earlier === undefined && !isConnected(config, text, file);
  const record: ConnectionRecord | null =
    isFirst || earlier !== undefined
      ? {
          file,
          after: hashText(added.text),
          undo: [...(earlier?.undo ?? []), ...added.undo],
          created: earlier?.created ?? before === null,
          folders: earlier?.folders ?? missingFolders(file),
        }
      : null;
  const notes = [
    ...config.notes(place.scope, settingsOf(config, added.text, file)),
    ...notesOnScope(place),
  ];
  const { agent } = config;
  const { scope, timelineHome } = place;
  return {
    agent,
    scope,
    file,
    before,
    after: added.text,
    changed,
    notes,
    timelineHome,
    record,
    folders: [],
  };
}

/** Looks only. @throws UserError as `planConnection`. */
export function planDisconnection(place: ConnectionPlace): ConnectionPlan {
  const { config, file, before } = open(place);
  const text = before ?? '';
  const record = readRecord(place.timelineHome, file, text);
  const rest =
    record === undefined ? disconnectedText(config, text, file) : takeBack(text, record.undo);
  const isOwn = record?.created === true || 'whole' in config;
  const isRemoved = before === null || (isOwn && rest === '');
  return {
    agent: config.agent,
    scope: place.scope,
    file,
    before,
    after: isRemoved ? null : rest,
    changed: isRemoved ? before !== null : rest !== before,
    notes: [],
    timelineHome: place.timelineHome,
    record: null,
    folders: record?.folders ?? [],
  };
}

/**
 * Makes the plan true: the file is written whole or not at all.
 * @throws UserError `config` when the file is no longer what the plan saw; `fileSystem`.
 */
export function applyConnection(plan: ConnectionPlan): void {
  if (!plan.changed) return;
  if (readSettings(plan.file) !== plan.before) {
    throw new UserError(
      'config',
      `${plan.file} has changed meanwhile; nothing was written. Look at the change again.`,
      { file: plan.file },
    );
  }
  // Remembered first: a record without its file is ignored, a file without its record is not taken back to the byte.
  if (plan.record !== null) writeRecord(plan.timelineHome, plan.record);
  if (plan.after === null) removeSettings(plan.file, plan.folders);
  else writeSettings(plan.file, plan.after, plan.scope === 'user' ? 0o600 : 0o644);
  if (plan.record === null) removeRecord(plan.timelineHome, plan.file);
}

/** @throws UserError `usage`, `fileSystem`. */
export function connectionStatus(place: ConnectionPlace): ConnectionStatus {
  const config = configOf(place.agent);
  const base = { agent: config.agent, scope: place.scope, file: fileOf(config, place) };
  try {
    const { before, file } = open(place);
    const text = before ?? '';
    if (!isConnected(config, text, file)) return { ...base, state: 'notConnected', problem: null };
    const isCurrent = connectedText(config, text, commandOf(config, place), file).text === text;
    return { ...base, state: isCurrent ? 'connected' : 'outdated', problem: null };
  } catch (error) {
    if (!isUserError(error, 'config')) throw error;
    return { ...base, state: 'notConnected', problem: error.message };
  }
}

function open(place: ConnectionPlace): {
  readonly config: HookConfig;
  readonly file: string;
  readonly before: string | null;
} {
  const config = configOf(place.agent);
  const file = targetOf(fileOf(config, place));
  return { config, file, before: readSettings(file) };
}

function configOf(agent: string): HookConfig {
  const config = hookConfigOf(agent);
  if (config !== undefined) return config;
  const known = hookConfigs.map(({ agent: id }) => id).join(', ');
  throw new UserError('usage', `There is no agent ${agent} to connect. Known are: ${known}.`, {
    agent,
  });
}

function fileOf(config: HookConfig, place: ConnectionPlace): string {
  const folder =
    place.scope === 'user'
      ? userFolder(config, place.home, place.env ?? {})
      : path.join(place.root, config.projectFolder ?? config.folder);
  return path.join(folder, config.file);
}

function userFolder(
  config: HookConfig,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const moved = config.folderVariable === undefined ? undefined : env[config.folderVariable];
  return moved !== undefined && path.isAbsolute(moved) ? moved : path.join(home, config.folder);
}

function commandOf(config: HookConfig, place: ConnectionPlace): HookCommand {
  const shared = place.scope === 'project' ? place.home : undefined;
  return hookCommand(config.agent, place.launcher, place.platform, shared);
}

function notesOnScope(place: ConnectionPlace): readonly string[] {
  const other = place.scope === 'user' ? 'project' : 'user';
  const isTwice = connectionStatus({ ...place, scope: other }).state !== 'notConnected';
  return [
    ...(place.scope === 'project'
      ? [
          'The file belongs to the project: for others who use it the hooks do nothing until they have Memcode Timeline.',
        ]
      : []),
    ...(isTwice
      ? [
          `It is connected in the ${other} settings as well: one of the two is enough, and each costs time.`,
        ]
      : []),
  ];
}
