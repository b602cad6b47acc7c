/**
 * The page of a session's history: takes states and announcements from the host, renders, and sends intents. It keeps no
 * turn of its own, only where it is scrolled, where the focus is, and what is typed into the search box.
 */
import { render } from 'lit';
import type { HistoryIntent, HistoryState } from '../../src/protocol/historyMessages.ts';
import { Announcer } from '../announcer.ts';
import { syncDropdown } from '../dropdown.ts';
import { Formatter } from '../formatter.ts';
import { keyAct } from '../keys.ts';
import { ListWindow } from '../listWindow.ts';
import { elementAt, focusSpot, keyMove } from '../rowFocus.ts';
import { RowRequests } from '../rowRequests.ts';
import { historyIntent } from './historyClicks.ts';
import { historyHeader, type SearchEntry } from './historyHeader.ts';
import { historyList, rowOf } from './historyList.ts';
import { type HistoryViewApi, isToHistoryView } from './historyViewApi.ts';
import { hitList } from './hitList.ts';
import { reading } from './reading.ts';
import { type HistorySpeech, historyTranslator } from './speech.ts';

/** Relative times are brought up to date this often, in milliseconds. */
const tick = 30_000;
/** What is typed is searched for when nothing has been typed for so long, in milliseconds. */
const searchDelay = 200;

export class HistoryPage {
  readonly #api: HistoryViewApi;
  readonly #top = document.createElement('div');
  readonly #scroller = document.createElement('main');
  readonly #found = document.createElement('div');
  readonly #reading = document.createElement('section');
  readonly #announcer: Announcer;
  readonly #list = new ListWindow(this.#scroller);
  readonly #requests = new RowRequests();
  #state: HistoryState | undefined;
  #receivedAt = 0;
  #format = new Formatter('en');
  #search: SearchEntry = { text: '', everywhere: false };
  #searching: ReturnType<typeof setTimeout> | undefined;
  #frame: number | undefined;
  /** Index of the row that Tab enters; undefined: the one that is read, or looked at. */
  #active: number | undefined;

  constructor(parent: HTMLElement, api: HistoryViewApi) {
    this.#api = api;
    this.#top.className = 'top';
    this.#scroller.className = 'scroller';
    this.#found.className = 'scroller foundList';
    this.#found.hidden = true;
    this.#reading.className = 'reading';
    this.#reading.tabIndex = 0;
    parent.append(this.#top, this.#scroller, this.#found, this.#reading);
    this.#announcer = new Announcer(parent);
  }

  /** Listens from now on, and tells the host that it may send. */
  start(): void {
    window.addEventListener('message', (event) => this.#receive(event.data));
    document.addEventListener('keydown', (event) => this.#pressed(event));
    document.addEventListener('click', (event) => this.#clicked(event));
    this.#top.addEventListener('change', (event) => this.#chosen(event));
    this.#top.addEventListener('input', (event) => this.#typed(event));
    this.#scroller.addEventListener('focusin', () => this.#focused());
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(this.#scroller);
    setInterval(() => {
      if (document.visibilityState === 'visible') this.#render();
    }, tick);
    this.#send({ type: 'ready' });
  }

  #receive(message: unknown): void {
    if (!isToHistoryView(message)) return;
    if (message.type === 'announce') this.#announcer.say(message.text, message.assertive);
    else if (this.#state === undefined || message.version >= this.#state.version)
      this.#accept(message);
  }

  #accept(state: HistoryState): void {
    const before = this.#state;
    this.#state = state;
    this.#receivedAt = performance.now();
    if (this.#format.locale !== state.locale) this.#format = new Formatter(state.locale);
    if (before === undefined) {
      this.#api.setState({ session: state.session.id });
      if (state.search !== null) this.#search = state.search;
    }
    this.#list.heights.resize(state.total);
    this.#render();
    const opened = state.open === null ? -1 : this.#openIndex(state);
    const isNewTurn = before?.open?.id !== state.open?.id;
    if (before === undefined) this.#show(opened >= 0 ? opened : state.cursor);
    else if (isNewTurn && opened >= 0) this.#show(opened);
    if (isNewTurn || before?.open?.message !== state.open?.message) this.#showMessage(state);
    if (before !== undefined && before.cursor !== state.cursor) this.#tellPosition(state);
    if (before?.error !== state.error && state.error !== null)
      this.#announcer.say(state.error, true);
  }

  #openIndex(state: HistoryState): number {
    const place = state.rows.findIndex(({ id }) => id === state.open?.id);
    return place < 0 ? -1 : state.offset + place;
  }

  /** The message that was looked for, else the beginning. */
  #showMessage({ open }: HistoryState): void {
    this.#reading.scrollTop = 0;
    if (open === null || open.message === null) return;
    this.#reading.querySelector('[data-found]')?.scrollIntoView({ block: 'start' });
  }

  #tellPosition(state: HistoryState): void {
    const { t, format } = this.#speech(state);
    const { index, count } = state.position;
    this.#announcer.say(t('positionSpoken', format.number(index), format.number(count)));
  }

  #render(): void {
    const state = this.#state;
    if (state === undefined) return;
    const speech = this.#speech(state);
    const spot = focusSpot(this.#scroller);
    render(historyHeader(state, this.#search, speech), this.#top);
    syncDropdown(this.#top, state.branch);
    const isSearching = state.search !== null;
    this.#scroller.hidden = isSearching;
    this.#found.hidden = !isSearching;
    if (state.search !== null) render(hitList(state.search, state.open, speech), this.#found);
    else this.#renderList(state, speech);
    const goesOnHere = state.open !== null && this.#openIndex(state) === state.cursor;
    render(reading(state.open, goesOnHere, speech), this.#reading);
    if (isSearching) return;
    this.#list.hold();
    // Never taken away from a menu or a pick that is open over the page.
    if (spot !== undefined && focusSpot(this.#scroller) === undefined && document.hasFocus())
      elementAt(this.#scroller, spot)?.focus({ preventScroll: true });
    this.#send(this.#requests.next(this.#list, state));
  }

  /** Renders until what is measured agrees with what was assumed; a second pass nearly always does. */
  #renderList(state: HistoryState, speech: HistorySpeech): void {
    const { heights } = this.#list;
    for (let pass = 0; pass < 3; pass++) {
      const view = { state, span: this.#list.span, active: this.#activeIndex(state), heights };
      render(historyList(view, speech), this.#scroller);
      if (!this.#list.measure()) return;
    }
  }

  #speech(state: HistoryState): HistorySpeech {
    const now = state.now + performance.now() - this.#receivedAt;
    return { t: historyTranslator(state.strings), format: this.#format, now };
  }

  #activeIndex(state: HistoryState): number {
    const opened = this.#openIndex(state);
    const usual = opened >= 0 ? opened : state.cursor >= 0 ? state.cursor : state.total - 1;
    return Math.min(this.#active ?? usual, state.total - 1);
  }

  #scrolled(): void {
    this.#list.noteScroll();
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#render();
    });
  }

  #resized(): void {
    this.#list.noteSize();
    this.#render();
  }

  #focused(): void {
    const spot = focusSpot(this.#scroller);
    if (spot === undefined || this.#state === undefined) return;
    if (spot.index === this.#activeIndex(this.#state)) return;
    this.#active = spot.index;
    this.#render();
  }

  #show(index: number): void {
    if (index < 0 || this.#scroller.hidden) return;
    this.#list.show(index, () => this.#render());
  }

  #pressed(event: KeyboardEvent): void {
    const state = this.#state;
    const { target } = event;
    if (state === undefined || !(target instanceof Element)) return;
    if (target.closest('.searchText') !== null) this.#pressedInSearch(event);
    else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.#searchBox()?.select();
      this.#searchBox()?.focus();
    } else if (target.closest('.hit') !== null && isVertical(event)) {
      event.preventDefault();
      this.#moveHit(target, event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && state.search !== null) this.#endSearch();
    else if (target.closest('vscode-dropdown, .everywhere') === null) this.#listKey(event, state);
  }

  #pressedInSearch(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      this.#endSearch();
    } else if (event.key === 'Enter') this.#searchNow();
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.#found.querySelector<HTMLElement>('.hit')?.focus();
    }
  }

  #listKey(event: KeyboardEvent, state: HistoryState): void {
    const spot = focusSpot(this.#scroller);
    const act = keyAct(event, spot !== undefined);
    if (act === undefined || act === 'undo' || act === 'rewind') return;
    event.preventDefault();
    if (act === 'previous' || act === 'next') {
      this.#send(historyIntent({ act: act === 'previous' ? 'prev' : 'next' }, state));
      return;
    }
    if (spot === undefined) return;
    const { newest, oldest } = this.#list.seen;
    const to = keyMove(act, spot, {
      total: state.total,
      page: Math.max(1, newest - oldest - 1),
      isExpanded: () => false,
      filesAt: () => 0,
    });
    if (to === 'toggle') this.#reading.focus();
    else this.#focusRow(to.index, state);
  }

  /** What the keyboard goes to is read at once. */
  #focusRow(index: number, state: HistoryState): void {
    this.#active = index;
    this.#show(index);
    elementAt(this.#scroller, { index, spot: 'summary' })?.focus({ preventScroll: true });
    const row = rowOf(state, index);
    if (row !== undefined && row.id !== state.open?.id)
      this.#send({ type: 'openTurn', turn: row.id });
  }

  #moveHit(from: Element, by: 1 | -1): void {
    const hits = [...this.#found.querySelectorAll<HTMLElement>('.hit')];
    const place = hits.findIndex((hit) => hit.contains(from)) + by;
    if (place < 0) this.#searchBox()?.focus();
    else hits[place]?.focus();
  }

  #clicked(event: MouseEvent): void {
    const state = this.#state;
    const element =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act]') : null;
    if (state === undefined || element === null) return;
    const { act, turn, message } = element.dataset;
    if (act === 'openTurn') this.#active = undefined;
    this.#send(historyIntent({ act, turn, message }, state));
  }

  #chosen(event: Event): void {
    const chooser = event.target;
    if (!(chooser instanceof HTMLElement) || !chooser.matches('.branches')) return;
    if (!('value' in chooser) || typeof chooser.value !== 'string') return;
    const branch = chooser.value;
    if (branch === '' || branch === this.#state?.branch) return;
    this.#active = undefined;
    this.#send({ type: 'switchBranch', branch });
  }

  #typed({ target }: Event): void {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.matches('.everywhere')) {
      this.#search = { ...this.#search, everywhere: target.checked };
      this.#searchNow();
      return;
    }
    this.#search = { ...this.#search, text: target.value };
    clearTimeout(this.#searching);
    this.#searching = setTimeout(() => this.#searchNow(), searchDelay);
  }

  #searchNow(): void {
    clearTimeout(this.#searching);
    this.#searching = undefined;
    this.#send({ type: 'search', ...this.#search });
  }

  /** The focus goes back to the turns. */
  #endSearch(): void {
    this.#search = { ...this.#search, text: '' };
    this.#searchNow();
    const state = this.#state;
    if (state === undefined) return;
    this.#accept({ ...state, search: null });
    this.#active = undefined;
    const index = this.#activeIndex(state);
    this.#show(index);
    elementAt(this.#scroller, { index, spot: 'summary' })?.focus({ preventScroll: true });
  }

  #searchBox(): HTMLInputElement | null {
    return this.#top.querySelector<HTMLInputElement>('.searchText');
  }

  #send(intent: HistoryIntent | undefined): void {
    if (intent !== undefined) this.#api.postMessage(intent);
  }
}

function isVertical({ key }: KeyboardEvent): boolean {
  return key === 'ArrowDown' || key === 'ArrowUp';
}
