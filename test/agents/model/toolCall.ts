/** Turns one step of a script into a call of whichever suitable tool the client offers. */
import path from 'node:path';
import type { Step } from './script.ts';

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Undefined when the client offers no tool for the step. @param root the project's folder, absolute. */
export function toolCall(step: Step, offered: readonly string[], root: string): Call | undefined {
  const has = (name: string): boolean => offered.includes(name);
  const call = (name: string, args: Record<string, unknown>): Call | undefined =>
    has(name) ? { name, args } : undefined;
  const at = 'path' in step ? { file_path: path.resolve(root, step.path) } : {};
  switch (step.op) {
    case 'shell':
      return shell(step.command, call);
    case 'read':
      return call('Read', at) ?? call('read_file', at) ?? shell(`cat '${step.path}'`, call);
    case 'edit': {
      const edit = { ...at, old_string: step.old, new_string: step.new };
      return (
        call('Edit', edit) ??
        call('replace', { ...edit, instruction: 'scripted edit' }) ??
        call('apply_patch', { input: patch(step) })
      );
    }
    case 'create': {
      const file = { ...at, content: step.content };
      return (
        call('Write', file) ??
        call('write_file', file) ??
        call('apply_patch', { input: patch(step) })
      );
    }
    case 'delete':
      return call('apply_patch', { input: patch(step) }) ?? shell(`rm '${step.path}'`, call);
    case 'tool':
      return {
        name: named(step.tool, offered),
        args: JSON.parse(filled(JSON.stringify(step.args), root)),
      };
    case 'multi':
    case 'text':
      return undefined;
    default:
      return step satisfies never;
  }
}

type Offer = (name: string, args: Record<string, unknown>) => Call | undefined;

function shell(command: string, call: Offer): Call | undefined {
  const args = { command, description: 'scripted command' };
  return (
    call('Bash', args) ??
    call('run_shell_command', args) ??
    call('exec_command', { cmd: command }) ??
    call('shell_command', args)
  );
}

function patch(step: Extract<Step, { op: 'edit' | 'create' | 'delete' | 'read' }>): string {
  const marked = (sign: string, text: string): string[] =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => sign + line);
  const body =
    step.op === 'edit'
      ? [`*** Update File: ${step.path}`, '@@', ...marked('-', step.old), ...marked('+', step.new)]
      : step.op === 'create'
        ? [`*** Add File: ${step.path}`, ...marked('+', step.content)]
        : [`*** Delete File: ${step.path}`];
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}

/** In JSON text. */
function filled(json: string, root: string): string {
  return json.replaceAll('{root}', JSON.stringify(root).slice(1, -1));
}

/** A client that puts the name of an MCP server before those of its tools in a way of its own, or not at all, is met as well. */
function named(tool: string, offered: readonly string[]): string {
  const bare = /^mcp__\w+?__(\w+)$/.exec(tool)?.[1];
  if (bare === undefined || offered.includes(tool)) return tool;
  return offered.find((each) => each === bare || each.endsWith(`_${bare}`)) ?? tool;
}
