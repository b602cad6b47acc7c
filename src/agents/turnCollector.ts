/** Puts turns together from a transcript's records: what the readers of all agents share. */
import { cut, type Fields, textAt } from './fields.ts';
import type {
  KeptRecord,
  TranscriptChange,
  TranscriptParent,
  TranscriptTool,
  TranscriptTurn,
} from './transcript.ts';

const longestText = 200_000;
const longestRecord = 64_000;
const mostKept = 200;
/** No day comes after it. */
const latestTime = 8.64e15;

type Draft = {
  -readonly [K in Exclude<keyof TranscriptTurn, 'tools' | 'changes' | 'kept'>]: TranscriptTurn[K];
} & {
  readonly tools: DraftTool[];
  readonly changes: TranscriptChange[];
  readonly kept: KeptRecord[];
  /** Said since the last call. */
  said: string[];
  isNotable: boolean;
};
type DraftTool = { -readonly [K in keyof TranscriptTool]: TranscriptTool[K] };

export interface NewTurn {
  readonly key: string;
  readonly promptId?: string | undefined;
  readonly prompt: string;
  readonly at: number;
  readonly position: number;
  readonly parent?: TranscriptParent;
  readonly isReplay?: boolean;
  /** Only counts when something comes of it: a command of the client itself leads to no answer. */
  readonly isTentative?: boolean;
}

export class TurnCollector {
  #open: Draft | undefined;
  #finished: Draft[] = [];
  #calls = new Map<string, DraftTool>();

  get current(): { readonly key: string; readonly isReplay: boolean } | undefined {
    return this.#open;
  }

  begin(turn: NewTurn): void {
    this.#close();
    this.#calls = new Map();
    this.#open = {
      key: turn.key,
      promptId: turn.promptId,
      prompt: cut(turn.prompt, longestText),
      parent: turn.parent ?? { kind: 'previous' },
      startedAt: turn.at,
      endedAt: turn.at,
      isComplete: false,
      ending: 'stop',
      model: undefined,
      reply: undefined,
      inputTokens: undefined,
      outputTokens: undefined,
      duration: undefined,
      tools: [],
      changes: [],
      kept: [],
      position: turn.position,
      isReplay: turn.isReplay ?? false,
      said: [],
      isNotable: turn.isTentative !== true,
    };
  }

  /** Text of the agent: its reply, unless it goes on to call a tool. */
  say(text: string, at: number): void {
    const turn = this.#touch(at);
    if (!turn || text.trim() === '') return;
    turn.said.push(text);
    turn.reply = cut(turn.said.join('\n\n'), longestText);
    turn.isNotable = true;
  }

  call(tool: {
    readonly callId: string | undefined;
    readonly name: string;
    readonly input: unknown;
    readonly at: number;
  }): void {
    const turn = this.#touch(tool.at);
    if (!turn || (tool.callId !== undefined && this.#calls.has(tool.callId))) return;
    const draft: DraftTool = {
      callId: tool.callId,
      name: tool.name,
      input: cut(textOf(tool.input), longestText),
      output: '',
      failed: false,
      at: tool.at,
      duration: undefined,
      said: turn.said.length === 0 ? undefined : turn.said.join('\n\n'),
    };
    turn.said = [];
    turn.reply = undefined;
    turn.isComplete = false;
    turn.isNotable = true;
    turn.tools.push(draft);
    if (tool.callId !== undefined) this.#calls.set(tool.callId, draft);
  }

  /** @returns whether the call is one of this turn's */
  answer(
    callId: string | undefined,
    result: {
      readonly output: string;
      readonly failed: boolean;
      readonly at: number;
      readonly duration?: number | undefined;
    },
  ): boolean {
    const turn = this.#touch(result.at);
    const draft = callId === undefined ? turn?.tools.at(-1) : this.#calls.get(callId);
    if (draft === undefined) return false;
    draft.output = cut(result.output, longestText);
    draft.failed = result.failed;
    draft.duration = result.duration ?? Math.max(0, result.at - draft.at);
    return true;
  }

  changed(change: TranscriptChange): void {
    this.#open?.changes.push(change);
  }

  /** Tokens on top of those told before. */
  spend(input: number, output: number): void {
    const turn = this.#open;
    if (!turn || (input === 0 && output === 0)) return;
    turn.inputTokens = (turn.inputTokens ?? 0) + input;
    turn.outputTokens = (turn.outputTokens ?? 0) + output;
  }

  by(model: string | undefined): void {
    if (this.#open && model !== undefined) this.#open.model = model;
  }

  /** The agent is done. */
  end(ending: TranscriptTurn['ending'], at: number, duration?: number): void {
    const turn = this.#touch(at);
    if (!turn) return;
    turn.isComplete = true;
    turn.ending = ending;
    if (duration !== undefined) turn.duration = duration;
  }

  /** A record that nobody understands; those before the first prompt belong to no turn and are let go. */
  keep(kind: string, record: unknown): void {
    const turn = this.#open;
    if (!turn || turn.kept.length >= mostKept) return;
    turn.kept.push({ kind: cut(kind, 200), record: cut(textOf(record), longestRecord) });
  }

  finished(): readonly TranscriptTurn[] {
    const turns = this.#finished;
    this.#finished = [];
    return turns;
  }

  last(): TranscriptTurn | undefined {
    return this.#open?.isNotable ? this.#open : undefined;
  }

  #touch(at: number): Draft | undefined {
    const turn = this.#open;
    if (turn && Number.isFinite(at)) turn.endedAt = Math.max(turn.endedAt, at);
    return turn;
  }

  /** What another turn follows has ended, whether the transcript says so or not. */
  #close(): void {
    if (this.#open?.isNotable) {
      this.#open.isComplete = true;
      this.#finished.push(this.#open);
    }
    this.#open = undefined;
  }
}

/** Milliseconds since 1970; what is no time reads as 0. */
export function timeOf(value: unknown): number {
  const time =
    typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : 0;
  return time >= 0 && time <= latestTime ? Math.trunc(time) : 0;
}

/** A whole number that is not negative. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return value === undefined ? '' : JSON.stringify(value);
  } catch (error) {
    // Read in one pass, but written level by level, which has its limits.
    if (error instanceof RangeError) return '(nested too deep to be shown)';
    throw error;
  }
}

/** The texts of content blocks (`{text}`), or a bare text. */
export function blockTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block === 'string') return [block];
    if (typeof block !== 'object' || block === null) return [];
    const text = textAt(block as Fields, 'text');
    return text === undefined ? [] : [text];
  });
}
