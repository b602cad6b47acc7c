/** A project's page: takes states from the host, renders, and sends intents. It keeps nothing but whose page it is. */
import { render } from 'lit';
import { type AutoCommitMode, autoCommitModes } from '../../src/core/autoCommit.ts';
import {
  type ProjectAct,
  type ProjectIntent,
  type ProjectState,
  projectActs,
  projectStatuses,
} from '../../src/protocol/projectMessages.ts';
import { Formatter } from '../formatter.ts';
import type { PageApi } from '../vscodeApi.ts';
import { projectBody } from './projectBody.ts';
import { projectTranslator } from './projectSpeech.ts';

/** Relative times are brought up to date this often, in milliseconds. */
const tick = 30_000;

export class ProjectPage {
  readonly #api: PageApi;
  readonly #main = document.createElement('main');
  #state: ProjectState | undefined;
  #receivedAt = 0;
  #format = new Formatter('en');

  constructor(parent: HTMLElement, api: PageApi) {
    this.#api = api;
    parent.append(this.#main);
  }

  /** Listens from now on, and tells the host that it may send. */
  start(): void {
    window.addEventListener('message', (event) => this.#receive(event.data));
    this.#main.addEventListener('click', (event) => this.#clicked(event));
    this.#main.addEventListener('change', (event) => this.#chosen(event));
    setInterval(() => {
      if (document.visibilityState === 'visible') this.#render();
    }, tick);
    this.#send({ type: 'ready' });
  }

  #receive(message: unknown): void {
    if (!isState(message)) return;
    if (this.#state !== undefined && message.version < this.#state.version) return;
    this.#state = message;
    this.#receivedAt = performance.now();
    if (this.#format.locale !== message.locale) this.#format = new Formatter(message.locale);
    // By this a tab finds its project again after the window was loaded anew.
    if (message.project !== null) this.#api.setState({ project: message.project.id });
    this.#render();
  }

  #render(): void {
    const state = this.#state;
    if (state === undefined) return;
    const now = state.now + performance.now() - this.#receivedAt;
    const speech = { t: projectTranslator(state.strings), format: this.#format, now };
    render(projectBody(state, speech), this.#main);
  }

  #clicked(event: Event): void {
    const { act, turn, session, name } = dataOf(event);
    if (act === 'openTurn' && turn !== undefined) this.#send({ type: 'openTurn', turn });
    else if (act === 'commitTurn' && turn !== undefined) this.#send({ type: 'commitTurn', turn });
    else if (act === 'openSession' && session !== undefined)
      this.#send({ type: 'openSession', session });
    else if (act === 'openNote' && name !== undefined) this.#send({ type: 'openNote', name });
    else if (act === 'detach' && session !== undefined) this.#send({ type: 'detach', session });
    else if (isAct(act)) this.#send({ type: 'act', act });
  }

  #chosen(event: Event): void {
    const list = event.target;
    if (!(list instanceof HTMLElement) || !('value' in list)) return;
    const { value } = list;
    const { project } = this.#state ?? {};
    const status = projectStatuses.find((one) => one === value);
    const mode: AutoCommitMode | undefined = autoCommitModes.find((one) => one === value);
    // A list also tells of what was put into it from here.
    if (status !== undefined && status !== project?.status)
      this.#send({ type: 'setStatus', status });
    else if (mode !== undefined && mode !== project?.autoCommit)
      this.#send({ type: 'setAutoCommit', mode });
    else if (value === 'folder' || value === 'hand') this.#joins(value === 'folder');
  }

  #joins(byFolder: boolean): void {
    if (byFolder !== this.#state?.project?.joinsByFolder)
      this.#send({ type: 'setJoins', byFolder });
  }

  #send(intent: ProjectIntent): void {
    this.#api.postMessage(intent);
  }
}

function dataOf({ target }: Event): DOMStringMap {
  const element = target instanceof Element ? target.closest('[data-act]') : null;
  return element instanceof HTMLElement ? element.dataset : {};
}

function isAct(act: string | undefined): act is ProjectAct {
  return projectActs.some((one) => one === act);
}

/** Our own host wrote it, so the kind is enough; anything else on the channel is not ours. */
function isState(message: unknown): message is ProjectState {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'state' &&
    'project' in message
  );
}
