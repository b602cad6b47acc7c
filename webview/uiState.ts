/** What the page itself remembers while it is hidden: navigation and nothing else. The rest is asked for again. */

/** The row at the top edge, and how many pixels of it are scrolled out. */
export interface Anchor {
  readonly index: number;
  readonly delta: number;
}

export interface UiState {
  readonly session: string | null;
  /** Ids of the turns that show their files. */
  readonly expanded: ReadonlySet<string>;
  /** Index of the row that Tab enters; null: the current turn. */
  readonly active: number | null;
  /** Null: at the very top, and staying there when turns arrive. */
  readonly anchor: Anchor | null;
}

const mostExpanded = 200;

export function emptyUi(session: string | null): UiState {
  return { session, expanded: new Set(), active: null, anchor: null };
}

/** Plain data for `setState`. */
export function saveUi(ui: UiState): unknown {
  return { ...ui, expanded: [...ui.expanded].slice(-mostExpanded) };
}

/** Reads what `saveUi` wrote; anything else is an empty state. */
export function loadUi(saved: unknown): UiState {
  if (!isRecord(saved) || typeof saved['session'] !== 'string') return emptyUi(null);
  const { session, expanded, active, anchor } = saved;
  return {
    session,
    expanded: new Set(
      Array.isArray(expanded) ? expanded.filter((id) => typeof id === 'string') : [],
    ),
    active: isIndex(active) ? active : null,
    anchor:
      isRecord(anchor) && isIndex(anchor['index']) && typeof anchor['delta'] === 'number'
        ? { index: anchor['index'], delta: anchor['delta'] }
        : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
