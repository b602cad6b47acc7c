/**
 * The page: takes states and announcements from the host, renders, and sends intents. It keeps no turn of its own, only
 * what is expanded, where it is scrolled and where the focus is.
 */
import { nothing, render } from 'lit';
import type { Intent, TimelineState, TurnRow } from '../src/protocol/messages.ts';
import { Announcer } from './announcer.ts';
import { clickIntent, stepIntent } from './clicks.ts';
import { syncDropdown } from './dropdown.ts';
import { emptyState } from './emptyState.ts';
import { Formatter } from './formatter.ts';
import { header } from './header.ts';
import { type KeyAct, keyAct } from './keys.ts';
import { ListWindow } from './listWindow.ts';
import { elementAt, type FocusSpot, focusSpot, keyMove, type ListShape } from './rowFocus.ts';
import { RowRequests } from './rowRequests.ts';
import { translator } from './strings.ts';
import { rowAt, turnList } from './turnList.ts';
import type { Speech } from './turnText.ts';
import { emptyUi, loadUi, saveUi, type UiState } from './uiState.ts';
import { isToView, type ViewApi } from './vscodeApi.ts';

/** Relative times are brought up to date this often, in milliseconds. */
const tick = 30_000;
/** Scroll positions are saved at most this often, in milliseconds. */
const saveDelay = 200;

export class TimelinePage {
  readonly #api: ViewApi;
  readonly #top = document.createElement('div');
  readonly #scroller = document.createElement('main');
  readonly #announcer: Announcer;
  readonly #list = new ListWindow(this.#scroller);
  readonly #requests = new RowRequests();
  #state: TimelineState | undefined;
  #receivedAt = 0;
  #format = new Formatter('en');
  #ui: UiState;
  #frame: number | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  /** The user stepped with the keyboard from within the list: the focus goes along with the current turn. */
  #focusFollows = false;

  constructor(parent: HTMLElement, api: ViewApi) {
    this.#api = api;
    this.#ui = loadUi(api.getState());
    this.#top.className = 'top';
    this.#scroller.className = 'scroller';
    parent.append(this.#top, this.#scroller);
    this.#announcer = new Announcer(parent);
  }

  /** Listens from now on, and tells the host that it may send. */
  start(): void {
    window.addEventListener('message', (event) => this.#receive(event.data));
    window.addEventListener('focus', () => this.#api.postMessage({ type: 'focus', focused: true }));
    window.addEventListener('blur', () => this.#api.postMessage({ type: 'focus', focused: false }));
    document.addEventListener('keydown', (event) => this.#pressed(event));
    document.addEventListener('click', (event) => this.#clicked(event));
    document.addEventListener('visibilitychange', () => this.#save());
    this.#top.addEventListener('change', (event) => this.#chosen(event));
    this.#scroller.addEventListener('focusin', () => this.#focused());
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(this.#scroller);
    setInterval(() => {
      if (document.visibilityState === 'visible') this.#render();
    }, tick);
    this.#send({ type: 'ready' });
  }

  #receive(message: unknown): void {
    if (!isToView(message)) return;
    if (message.type === 'announce') this.#announcer.say(message.text, message.assertive);
    else if (this.#state === undefined || message.version >= this.#state.version) {
      this.#accept(message);
    }
  }

  #accept(state: TimelineState): void {
    const before = this.#state;
    const sameSession = before !== undefined && before.session === state.session;
    this.#state = state;
    this.#receivedAt = performance.now();
    if (this.#format.locale !== state.locale) this.#format = new Formatter(state.locale);
    if (!sameSession) this.#openSession(state);
    const moved = sameSession && before.cursor !== state.cursor && state.cursor > 0;
    this.#render();
    if (moved) this.#cursorMoved(state);
    if (before?.error !== state.error && state.error !== null) {
      this.#announcer.say(state.error, true);
    }
    if (before?.busy !== state.busy && state.busy !== null) this.#announcer.say(state.busy);
  }

  /** The scroll position of the session that was open last comes back; any other opens at its current turn. */
  #openSession(state: TimelineState): void {
    this.#list.heights.forget();
    this.#list.heights.resize(state.total);
    this.#requests.forget();
    if (this.#ui.session === state.session) {
      this.#list.anchor = this.#ui.anchor;
      return;
    }
    this.#ui = emptyUi(state.session);
    this.#list.anchor = null;
    if (state.cursor > 0) this.#list.reveal(state.cursor - 1);
  }

  #cursorMoved(state: TimelineState): void {
    const index = state.cursor - 1;
    const { t, format } = this.#speech(state);
    const place = t('positionSpoken', format.number(state.cursor), format.number(state.total));
    this.#announcer.say(place);
    if (this.#focusFollows) this.#focusOn({ index, spot: 'summary' });
    else {
      if (focusSpot(this.#scroller) === undefined) this.#ui = { ...this.#ui, active: null };
      this.#show(index);
    }
    this.#focusFollows = false;
  }

  #render(): void {
    const state = this.#state;
    if (state === undefined) return;
    const speech = this.#speech(state);
    const spot = focusSpot(this.#scroller);
    render(header(state, speech), this.#top);
    if (state.session !== null) syncDropdown(this.#top, state.session);
    this.#list.heights.resize(state.total);
    if (state.total === 0) {
      render(this.#instead(state, speech), this.#scroller);
      return;
    }
    this.#renderList(state, speech);
    this.#list.hold();
    // Never taken away from a menu or a pick that is open over the page.
    if (spot !== undefined && focusSpot(this.#scroller) === undefined && document.hasFocus()) {
      elementAt(this.#scroller, spot)?.focus({ preventScroll: true });
    }
    this.#send(this.#requests.next(this.#list, state));
  }

  /** Without turns: why, unless the host is still finding out. */
  #instead({ session, busy }: TimelineState, speech: Speech): unknown {
    if (session !== null) return emptyState('noTurns', speech);
    return busy === null ? emptyState('noSession', speech) : nothing;
  }

  /** Renders until what is measured agrees with what was assumed; a second pass nearly always does. */
  #renderList(state: TimelineState, speech: Speech): void {
    const heights = this.#list.heights;
    const expanded = this.#ui.expanded;
    const active = this.#active(state);
    for (let pass = 0; pass < 3; pass++) {
      const view = { state, span: this.#list.span, active, expanded, heights };
      render(turnList(view, speech), this.#scroller);
      if (!this.#list.measure()) return;
    }
  }

  #speech(state: TimelineState): Speech {
    const now = state.now + performance.now() - this.#receivedAt;
    return { t: translator(state.strings), format: this.#format, now };
  }

  /** The row Tab enters: where the focus was last, else the current turn, else the newest. */
  #active(state: TimelineState): number {
    const active = this.#ui.active ?? (state.cursor > 0 ? state.cursor - 1 : state.total - 1);
    return Math.min(active, state.total - 1);
  }

  #scrolled(): void {
    this.#list.noteScroll();
    this.#saveSoon();
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
    if (spot.index === this.#active(this.#state)) return;
    this.#ui = { ...this.#ui, active: spot.index };
    this.#render();
  }

  #show(index: number): void {
    this.#list.show(index, () => this.#render());
  }

  #focusOn(spot: FocusSpot): void {
    this.#ui = { ...this.#ui, active: spot.index };
    if (spot.spot === 'summary') this.#show(spot.index);
    else this.#render();
    const element = elementAt(this.#scroller, spot);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
    this.#list.noteScroll();
    this.#saveSoon();
  }

  #pressed(event: KeyboardEvent): void {
    const state = this.#state;
    if (state === undefined) return;
    if (event.target instanceof Element && event.target.closest('vscode-dropdown') !== null) return;
    const spot = focusSpot(this.#scroller);
    const act = keyAct(event, spot !== undefined);
    if (act === undefined) return;
    event.preventDefault();
    this.#key(act, spot, state);
  }

  #key(act: KeyAct, spot: FocusSpot | undefined, state: TimelineState): void {
    if (act === 'previous' || act === 'next') {
      this.#focusFollows = spot !== undefined;
      this.#send(stepIntent(act, state));
    } else if (act === 'undo') {
      if (state.undo !== null) this.#send({ type: 'undo' });
    } else if (spot !== undefined) {
      const row = rowAt(state, spot.index);
      if (act === 'rewind') {
        this.#rewind(row, state);
        return;
      }
      const move = keyMove(act, spot, this.#shape(state));
      if (move !== 'toggle') this.#focusOn(move);
      else if (row !== undefined) this.#toggle(row);
    }
  }

  #shape(state: TimelineState): ListShape {
    const { newest, oldest } = this.#list.seen;
    return {
      total: state.total,
      page: Math.max(1, newest - oldest - 1),
      isExpanded: (index) => this.#isExpanded(rowAt(state, index)),
      filesAt: (index) => {
        const row = rowAt(state, index);
        return row !== undefined && this.#isExpanded(row) ? row.files.length : 0;
      },
    };
  }

  #isExpanded(row: TurnRow | undefined): boolean {
    return row !== undefined && this.#ui.expanded.has(row.id);
  }

  #clicked(event: MouseEvent): void {
    const state = this.#state;
    const element =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act]') : null;
    if (state === undefined || element === null) return;
    const { act, path, snapshot } = element.dataset;
    const index = element.closest<HTMLElement>('.turn')?.dataset['index'];
    const row = index === undefined ? undefined : rowAt(state, Number(index));
    if (act === 'rewind') this.#rewind(row, state);
    else if (act === 'toggle' && row !== undefined) this.#open(row, state);
    else this.#send(clickIntent({ act, row, path, snapshot }, state));
  }

  #chosen(event: Event): void {
    const chooser = event.target;
    if (!(chooser instanceof HTMLElement) || !('value' in chooser)) return;
    const { value } = chooser;
    if (typeof value !== 'string' || value === '' || value === this.#state?.session) return;
    this.#send({ type: 'selectSession', session: value });
  }

  /** Clicking a turn makes it the current one and shows or hides its files. */
  #open(row: TurnRow, state: TimelineState): void {
    if (row.number !== state.cursor) this.#send({ type: 'select', number: row.number });
    this.#toggle(row);
  }

  #toggle(row: TurnRow): void {
    const expanded = new Set(this.#ui.expanded);
    if (!expanded.delete(row.id)) expanded.add(row.id);
    this.#ui = { ...this.#ui, expanded };
    this.#render();
    this.#saveSoon();
  }

  #rewind(row: TurnRow | undefined, state: TimelineState): void {
    if (row === undefined) return;
    if (row.blocked === null) this.#send({ type: 'rewind', turn: row.id });
    else {
      const { t } = this.#speech(state);
      this.#announcer.say(t('rewindBlocked', row.number, row.blocked), true);
    }
  }

  #send(intent: Intent | undefined): void {
    if (intent !== undefined) this.#api.postMessage(intent);
  }

  #saveSoon(): void {
    this.#saving ??= setTimeout(() => this.#save(), saveDelay);
  }

  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (this.#state === undefined) return;
    this.#ui = { ...this.#ui, session: this.#state.session, anchor: this.#list.anchor };
    this.#api.setState(saveUi(this.#ui));
  }
}
