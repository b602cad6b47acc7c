/** VS Code's questions, answered from a script: what people type, pick and press, in order. Of this bundle alone. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HostTestContext } from './hostTest.ts';

export type Answer =
  | { readonly type: string }
  /** A label of a quick pick, the `nth` of that name; with `button` one of its row instead. */
  | { readonly pick: string; readonly nth?: number; readonly button?: number }
  /** A button of a question or of a message. */
  | { readonly press: string };

export interface ScriptedWindow {
  /** Title of each question that was answered. */
  readonly asked: readonly string[];
  /** Labels that were to pick from, of each quick pick. */
  readonly offered: readonly (readonly string[])[];
  answer(...answers: readonly Answer[]): void;
}

/** Until the test ends. A question without an answer, or with one of another kind, fails. */
export function scriptedWindow(t: HostTestContext): ScriptedWindow {
  const answers: Answer[] = [];
  const asked: string[] = [];
  const offered: (readonly string[])[] = [];
  const next = <Key extends 'type' | 'pick' | 'press'>(key: Key, title: string) => {
    asked.push(title);
    const answer = answers.shift();
    assert.ok(answer !== undefined && key in answer, `${title}: ${JSON.stringify(answer)}`);
    return answer as Extract<Answer, Readonly<Record<Key, string>>>;
  };
  const labelled = (items: readonly { readonly label: string }[], title: string) => {
    offered.push(items.map(({ label }) => label));
    const { pick, ...how } = next('pick', title);
    const item = items.filter(({ label }) => label === pick)[how.nth ?? 0];
    assert.ok(item, `${title}: ${pick} is not among ${offered.at(-1)?.join(', ')}`);
    return { item, button: how.button };
  };
  /** One that is not among them closes the question. */
  const pressed = (labels: readonly string[], message: string) => {
    const { press } = next('press', message);
    return labels.find((label) => label === press);
  };
  const scripted: Partial<Record<keyof typeof vscode.window, unknown>> = {
    async showInputBox({ title = '', validateInput }: vscode.InputBoxOptions = {}) {
      const { type } = next('type', title);
      assert.ok(!(await validateInput?.(type)), `${title}: ${type}`);
      return type;
    },
    showQuickPick: async (items: readonly vscode.QuickPickItem[], options = { title: '' }) =>
      labelled(items, options.title).item,
    createQuickPick: () => quickPick((list) => labelled(list.items, list.title ?? '')),
    showWarningMessage: async (message: string, _how: object, ...labels: readonly string[]) =>
      pressed(labels, message),
    showInformationMessage: async (message: string, ...labels: readonly string[]) =>
      labels.length === 0 ? undefined : pressed(labels, message),
  };
  for (const [name, value] of Object.entries(scripted)) {
    const own = Object.getOwnPropertyDescriptor(vscode.window, name);
    assert.ok(own);
    Object.defineProperty(vscode.window, name, { ...own, value });
    t.after(() => Object.defineProperty(vscode.window, name, own));
  }
  t.after(() => assert.deepEqual(answers, []));
  return { asked, offered, answer: (...more) => void answers.push(...more) };
}

type Choose = (list: vscode.QuickPick<vscode.QuickPickItem>) => {
  readonly item: vscode.QuickPickItem;
  readonly button: number | undefined;
};

/** As much of one as `pickEntry` uses. */
function quickPick(choose: Choose): vscode.QuickPick<vscode.QuickPickItem> {
  const accepted = new vscode.EventEmitter<void>();
  const triggered = new vscode.EventEmitter<
    vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>
  >();
  const hidden = new vscode.EventEmitter<void>();
  const list = {
    items: [],
    selectedItems: [] as vscode.QuickPickItem[],
    onDidAccept: accepted.event,
    onDidTriggerItemButton: triggered.event,
    onDidHide: hidden.event,
    hide: () => hidden.fire(),
    dispose: () => vscode.Disposable.from(accepted, triggered, hidden).dispose(),
    show() {
      const { item, button } = choose(list);
      const pressed = button === undefined ? undefined : item.buttons?.[button];
      list.selectedItems = [item];
      if (pressed === undefined) accepted.fire();
      else triggered.fire({ item, button: pressed });
    },
  } as unknown as vscode.QuickPick<vscode.QuickPickItem> & {
    selectedItems: readonly vscode.QuickPickItem[];
  };
  return list;
}
