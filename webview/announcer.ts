/** Two live regions for screen readers: polite for news, assertive for what failed. */

export class Announcer {
  readonly #polite = region('polite');
  readonly #assertive = region('assertive');

  /** Puts its regions at the end of `parent`; they must be there before the first text. */
  constructor(parent: HTMLElement) {
    parent.append(this.#polite, this.#assertive);
  }

  say(text: string, assertive = false): void {
    const target = assertive ? this.#assertive : this.#polite;
    // The same text again is no change, and would not be read; a trailing space makes it one.
    target.textContent = target.textContent === text ? `${text}\u00a0` : text;
  }
}

function region(politeness: 'polite' | 'assertive'): HTMLElement {
  const element = document.createElement('div');
  element.className = 'forScreenReaders';
  element.setAttribute('aria-live', politeness);
  element.setAttribute('aria-atomic', 'true');
  return element;
}
