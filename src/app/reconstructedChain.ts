/**
 * Puts together what several records tell of one file over the turns of a session, and which of it holds. A record may
 * know a text, or only how it was changed; then its neighbours' texts, changed forwards or backwards, are it. Pure.
 */

/** A text; null where there was no file, undefined where nobody tells. */
export type Text = string | null | undefined;

export interface ChainRow {
  readonly turn: string;
  readonly before: Text;
  readonly after: Text;
  /** Unified diffs, one after the other, that lead from `before` to `after` where those are not told. */
  readonly patches: readonly string[];
  /** `after` was made out of `before`: whoever confirms the one confirms the other. */
  readonly isReplayed: boolean;
}

export interface ChainState {
  readonly text: string | null;
  /** The record beside it, which knows nothing of this one, tells the same. */
  readonly verified: boolean;
}

/** Undefined where a diff does not fit, exactly. */
export interface Patching {
  readonly apply: (text: string, patch: string) => string | undefined;
  readonly reverse: (text: string, patch: string) => string | undefined;
}

export interface TurnStates {
  readonly before: ChainState | undefined;
  readonly after: ChainState | undefined;
}

type Sides = { readonly before: Text; readonly after: Text };

/**
 * @param rows of one file, oldest first
 * @param end what was found at the file after the last of them
 */
export function chainStates(
  rows: readonly ChainRow[],
  end: Text,
  patching: Patching,
): ReadonlyMap<string, TurnStates> {
  const forward = forwards(rows, patching);
  const backward = backwards(rows, end, patching);
  // Two records meet between two turns: what the first left, and what the second found.
  const holds = rows.map((_, i) => {
    const left = forward[i]?.after;
    const found = i === rows.length - 1 ? end : backward[i + 1]?.before;
    return left !== undefined && left === found && isWhole(left, end);
  });
  return new Map(
    rows.map(({ turn, isReplayed, patches }, i) => {
      const isMade = isReplayed || patches.length > 0;
      const linked = holds[i - 1] === true;
      const confirmed = holds[i] === true;
      return [
        turn,
        {
          before: state(forward[i]?.before, backward[i]?.before, linked || (confirmed && isMade)),
          after: state(forward[i]?.after, backward[i]?.after, confirmed || (linked && isMade)),
        },
      ];
    }),
  );
}

function forwards(rows: readonly ChainRow[], { apply }: Patching): readonly Sides[] {
  let left: Text;
  return rows.map(({ before: told, after, patches }) => {
    const before = told !== undefined ? told : patches.length > 0 ? left : undefined;
    left = after !== undefined ? after : through(before, patches, apply);
    return { before, after: left };
  });
}

function backwards(rows: readonly ChainRow[], end: Text, { reverse }: Patching): readonly Sides[] {
  let found = end;
  return rows
    .toReversed()
    .map(({ before, after: told, patches }) => {
      const left = told !== undefined ? told : patches.length > 0 ? found : undefined;
      const made = through(left, patches.toReversed(), reverse);
      found = before !== undefined ? before : made;
      // Diffs that do not fit what was found later say that it is not what they led to.
      return { before: found, after: told === undefined && made === undefined ? undefined : left };
    })
    .reverse();
}

function through(
  text: Text,
  patches: readonly string[],
  change: (text: string, patch: string) => string | undefined,
): Text {
  if (patches.length === 0) return undefined;
  return patches.reduce<Text>(
    (at, patch) => (typeof at === 'string' ? change(at, patch) : undefined),
    text,
  );
}

function state(forward: Text, backward: Text, verified: boolean): ChainState | undefined {
  if (forward !== undefined) return { text: forward, verified };
  return backward === undefined ? undefined : { text: backward, verified: false };
}

/** Agents keep texts, not bytes: what they left out of it shows in the file as it is now, or in a mark for lost characters. */
function isWhole(text: string | null, end: Text): boolean {
  if (text === null) return true;
  if (text.includes('\ufffd')) return false;
  if (typeof end !== 'string') return true;
  const lostReturns = end.includes('\r\n') && !text.includes('\r');
  const lostMark = end.startsWith('\ufeff') && !text.startsWith('\ufeff');
  return !lostReturns && !lostMark;
}
