/** What an agent's hook told us, in our words. Produced by `src/agents`, consumed by the recorder. Pure types. */
import type { SessionId } from './ids.ts';

/** How a tool can change the work tree. */
export type ToolClass = 'write' | 'shell' | 'other';

export interface AgentEventBase {
  /** `claude`, `codex`, `gemini`, … or `unknown`. */
  readonly agent: string;
  readonly session: SessionId;
  /** The agent's working directory, absolute; some payloads have none. */
  readonly cwd?: string;
  /** The agent's own id of the turn (`prompt_id`, `turn_id`) where it has one. */
  readonly promptId?: string;
  readonly model?: string;
  /** Set when a subagent did it. */
  readonly subagent?: string;
  readonly transcript?: string;
}

export type AgentEvent = AgentEventBase &
  (
    | { readonly kind: 'sessionStart'; readonly source?: string }
    /** `notification`: text the client wrote itself (a finished background task); belongs to the turn before it. */
    | { readonly kind: 'prompt'; readonly prompt: string; readonly notification?: boolean }
    | ToolEvent
    | {
        readonly kind: 'turnEnd';
        readonly how: 'stop' | 'interrupt' | 'failed';
        readonly reply?: string;
        /** Commands that go on in the background, where the agent tells. */
        readonly running?: number;
      }
    | { readonly kind: 'sessionEnd'; readonly reason?: string }
  );

export interface ToolEvent {
  readonly kind: 'beforeTool' | 'afterTool';
  readonly tool: string;
  readonly toolClass: ToolClass;
  /** As the agent named them: absolute, or relative to `cwd`. Every path the call may write, create or delete. */
  readonly paths: readonly string[];
  readonly callId?: string;
  /** One line for people: the command, the pattern. Cut by the producer to 200 characters. */
  readonly summary?: string;
  /** A shell command that plainly changes no file. */
  readonly readOnly?: boolean;
  /** A shell command that may go on after its call is done. */
  readonly background?: boolean;
  /** After a tool: the agent said that it failed. Bytes decide what changed, not this flag. */
  readonly failed?: boolean;
}
