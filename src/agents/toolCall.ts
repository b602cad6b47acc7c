/**
 * What one tool call can do to files: its class, the paths it may change, a line for people. Knows the tools of all
 * clients by name; a tool it does not know counts as writing when its input names a path, because a pre-image too many
 * costs nothing and one too few is lost work. Pure, part of the hook.
 */
import type { ToolClass } from '../core/agentEvent.ts';
import { isReadOnlyCommand } from '../core/readOnlyCommand.ts';
import { cut, type Fields, listOf, recordOf, textAt } from './fields.ts';
import { patchPaths, shellPatch } from './patchPaths.ts';

export interface ToolCall {
  readonly toolClass: ToolClass;
  readonly paths: readonly string[];
  /** Of what writes there is none: its files say it better. */
  readonly summary?: string;
  readonly readOnly?: boolean;
  readonly background?: boolean;
}

/** Tools that only look, of those whose input names a path. */
const readTools = new Set(
  'read read_file read_files read_many_files notebookread view view_image ls list list_dir list_directory list_files glob grep grep_search search_files search_file_content file_search bashoutput killshell'.split(
    ' ',
  ),
);
const shellName = /bash|shell|terminal|command|monitor/;

/** What every client calls a path; then what tools nobody knows (MCP servers) may call one. */
const pathNames = ['file_path', 'filePath', 'path', 'notebook_path'];
const looseNames =
  'filepath file filename notebookPath target_file targetFile relative_path relativePath absolute_path absolutePath source destination old_path oldPath new_path newPath'.split(
    ' ',
  );
const listNames = ['replacements', 'files', 'edits', 'paths', 'changes', 'operations'];
const patchNames = ['command', 'input', 'patchText', 'patch', 'text'];

/** @param input what the client gave: an object, a patch text, or either of them as JSON text. */
export function toolCall(tool: string, input: unknown): ToolCall {
  const name = tool.toLowerCase();
  const given = typeof input === 'string' ? fromJson(input) : input;
  const fields = recordOf(given) ?? {};
  if (readTools.has(name)) return { toolClass: 'other', paths: [], ...summary(fields) };
  const command = typeof given === 'string' ? given : commandIn(fields);
  if (shellName.test(name)) return shellCall(command ?? '', fields, name);
  const paths = changedPaths(given, fields);
  if (paths.length > 0) return { toolClass: 'write', paths };
  return commandIn(fields) === undefined
    ? { toolClass: 'other', paths, ...summary(fields) }
    : shellCall(command ?? '', fields, name);
}

function shellCall(command: string, fields: Fields, name: string): ToolCall {
  const patch = shellPatch(command);
  const paths = (patch?.paths ?? []).filter(isPossible);
  if (patch?.alone) return { toolClass: 'write', paths };
  const isBackground = name === 'monitor' || goesOn(fields) || detaches.test(bare(command));
  return {
    toolClass: 'shell',
    paths,
    ...summary({ ...fields, command }),
    ...(isReadOnlyCommand(command) && !isBackground && { readOnly: true }),
    ...(isBackground && { background: true }),
  };
}

/** A command that leaves something running: `server &`, `nohup …`. */
const detaches = /(?:^|[^&>|<\\])&(?![&>\d])|\b(?:nohup|setsid|disown|daemonize)\b/;

/** Without what is quoted and what is fed to a program: an ampersand there is a text. */
function bare(command: string): string {
  return command
    .slice(0, 20_000)
    .replace(/<<-?\s*(["']?)(\w+)\1[^\n]*\n[\s\S]*?(?:\n\s*\2(?!\w)|$)/g, '')
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
}

function goesOn(fields: Fields): boolean {
  return [fields['run_in_background'], fields['is_background'], fields['isBackground']].some(
    (value) => value === true || value === 'true',
  );
}

function changedPaths(input: unknown, fields: Fields): readonly string[] {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') found.add(value);
    const from = recordOf(value) ?? {};
    for (const name of pathNames) {
      const path = from[name];
      if (typeof path === 'string') found.add(path);
    }
    for (const name of looseNames) {
      const path = from[name];
      if (typeof path === 'string' && path.length < 1024 && !path.includes('\n')) found.add(path);
    }
  };
  add(fields);
  for (const name of listNames) listOf(fields[name]).forEach(add);
  for (const text of [input, ...patchNames.map((name) => fields[name])]) {
    if (typeof text === 'string') for (const path of patchPaths(text)) found.add(path);
  }
  return [...found].filter(isPossible);
}

/** No file can be called anything else. */
function isPossible(path: string): boolean {
  return path !== '' && path.length < 32768 && !path.includes('\0');
}

/** Some clients give a list: arguments (`["bash", "-lc", script]`) or several commands. */
function commandIn(fields: Fields): string | undefined {
  for (const name of ['command', 'cmd', 'commands', 'script']) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    const parts = listOf(value).filter((part) => typeof part === 'string');
    const script = /^-l?c$/.test(parts[1] ?? '') ? parts[2] : undefined;
    if (parts.length > 0) return script ?? parts.join(name === 'commands' ? '; ' : ' ');
  }
  return undefined;
}

/** A client may send the arguments as JSON text. */
function fromJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It only looked like JSON.
    return text;
  }
}

function summary(fields: Fields): { readonly summary?: string } {
  const line =
    textAt(fields, 'command', 'cmd', 'pattern', 'query', 'url', 'description') ??
    textAt(fields, ...pathNames);
  if (line === undefined) return {};
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  const plain = line.slice(0, 1000).replace(/[\s\x00-\x1f\x7f]+/g, ' ');
  return { summary: cut(plain.trim(), 200) };
}
