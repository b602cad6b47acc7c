/**
 * Which client sent a payload. One hook file is run by several clients, so the payload decides and the name in the
 * configuration is only a last hint. The order matters: the first sign that fits wins. Pure, part of the hook.
 */
import { type Fields, has, recordAt, textAt } from './fields.ts';
import type { PayloadHint } from './reading.ts';

const geminiEvents = /^(?:BeforeTool|AfterTool|BeforeAgent|AfterAgent)$/;
const copilotFields = [
  'toolName',
  'toolArgs',
  'prompt',
  'initialPrompt',
  'source',
  'reason',
  'stopReason',
  'transcriptPath',
];
const vscodeTools =
  /^(?:run_in_terminal|create_file|insert_edit_into_file|edit_notebook_file|(?:multi_)?replace_string_in_file)$/;
/** Folders that hold many programs' files: their names say nothing about a client. */
const sharedFolders = /^(?:config|cache|local|data|tmp|vscode|vscode-server)$/;

/** `claude`, `codex`, `gemini`, `copilot`, `cursor`, `cline`, `opencode`, `vscode`, another client's folder name, or `unknown`. */
export function detectAgent(payload: Fields, hint: PayloadHint): string {
  const transcript = (textAt(payload, 'transcript_path', 'transcriptPath') ?? '').replaceAll(
    '\\',
    '/',
  );
  const input = recordAt(payload, 'tool_input');
  const timed = has(payload, 'timestamp');
  if (has(payload, 'cursor_version', 'conversation_id')) return 'cursor';
  if (has(payload, 'hookName') && has(payload, 'clineVersion', 'taskId')) return 'cline';
  if (
    geminiEvents.test(textAt(payload, 'hook_event_name') ?? '') ||
    transcript.includes('/.gemini/')
  ) {
    return 'gemini';
  }
  if (has(payload, 'turn_id') && has(payload, 'model')) return 'codex';
  if (transcript.includes('/.codex/')) return 'codex';
  if (transcript.includes('/.claude/projects/')) return 'claude';
  if (
    (has(payload, 'sessionId') &&
      !has(payload, 'hookEventName', 'hook_event_name') &&
      has(payload, ...copilotFields)) ||
    transcript.includes('/.copilot/') ||
    (timed && (has(payload, 'tool_result') || has(input, 'path')))
  ) {
    return 'copilot';
  }
  if ((has(payload, 'hook') && has(payload, 'directory')) || has(payload, 'sessionID')) {
    return 'opencode';
  }
  if (timed && (has(input, 'filePath') || vscodeTools.test(textAt(payload, 'tool_name') ?? ''))) {
    return 'vscode';
  }
  return copyOfClaude(transcript, payload, hint);
}

/** The payload has Claude's shape and no sign of any client in particular. */
function copyOfClaude(transcript: string, payload: Fields, hint: PayloadHint): string {
  for (const [, name] of transcript.matchAll(/\/\.([\w-]{1,40})(?=\/)/g)) {
    if (name !== undefined && !sharedFolders.test(name)) return name.toLowerCase();
  }
  // Nobody else reads the files of these two; Claude's are read by many, so that one needs a second sign.
  if (hint.agent === 'codex' || hint.agent === 'gemini') return hint.agent;
  const isClaudes = hint.env?.['CLAUDECODE'] !== undefined && !has(payload, 'timestamp');
  return hint.agent === 'claude' && isClaudes ? 'claude' : 'unknown';
}
