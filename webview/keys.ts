/** Which key means what. Enter and Space are missing on purpose: everything that takes them is a button. */

export type KeyAct =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'top'
  | 'bottom'
  | 'expand'
  | 'collapse'
  | 'leave'
  | 'rewind'
  | 'previous'
  | 'next'
  | 'undo';

/** Keys that only mean something while the focus is in the list. */
const inList: Readonly<Record<string, KeyAct>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'expand',
  ArrowLeft: 'collapse',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'top',
  End: 'bottom',
  Escape: 'leave',
  r: 'rewind',
};

const anywhere: Readonly<Record<string, KeyAct>> = { '[': 'previous', ']': 'next', u: 'undo' };

/** What a key press asks for; undefined when it is not ours. */
export function keyAct(event: KeyboardEvent, focusInList: boolean): KeyAct | undefined {
  // Where brackets need AltGr, it reports itself as Ctrl and Alt.
  const altGraph = event.getModifierState('AltGraph');
  if (event.defaultPrevented || event.isComposing || event.metaKey) return undefined;
  if ((event.ctrlKey || event.altKey) && !altGraph) return undefined;
  return anywhere[event.key] ?? (focusInList && !event.shiftKey ? inList[event.key] : undefined);
}
