/** Memory as it was: the versions of one file, and all of it after a turn. */
import * as vscode from 'vscode';
import type { MemoryUse, MemoryVersion } from '../app/memoryUse.ts';
import type { Root } from '../core/ids.ts';
import type { MemoryScope } from '../core/memory.ts';
import { inputLine } from './inputLine.ts';
import type { MemoryActionsOptions } from './memoryActions.ts';
import { pickTexts } from './memoryAdding.ts';
import { memoryUri } from './memoryFiles.ts';
import type { MemoryNode } from './memoryNode.ts';
import { nodeRoot } from './memoryPlaces.ts';
import { rootsOf } from './memorySights.ts';
import { pickEntry } from './pickEntry.ts';
import type { PickEntry } from './question.ts';
import { turnEntries } from './turnItems.ts';
import { versionEntries } from './versionEntries.ts';

interface Subject {
  readonly name: string;
  readonly scope: MemoryScope | '';
  readonly root: Root | null;
}

export class MemoryPast {
  readonly #options: MemoryActionsOptions;

  constructor(options: MemoryActionsOptions) {
    this.#options = options;
  }

  /** @param node default: what is picked, or named */
  async history(node: MemoryNode | undefined): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const memory = await app.memory();
    const subject = this.#subjectOf(node) ?? (await this.#pick(memory));
    if (subject === undefined) return;
    const { name, root } = subject;
    const scope = subject.scope === '' ? undefined : subject.scope;
    const versions = await memory.history(root, name, scope);
    const numberOf = (version: MemoryVersion): number | undefined => {
      const { turn } = version.touch.origin;
      const known = turn === undefined ? undefined : this.#turns().find(({ id }) => id === turn);
      return known?.number;
    };
    const entries = versionEntries(versions, numberOf, vscode.env.language, vscode.l10n);
    const picked = await pickEntry(entries, {
      title: vscode.l10n.t('History of {0}', name),
      placeholder: vscode.l10n.t('Pick a change to see it; its button brings that text back'),
      empty: vscode.l10n.t('No change of {0} is known.', name),
    });
    if (picked === undefined) return;
    const { touch } = picked.version;
    if (picked.act === 'restore') {
      await memory.restore(touch.id, picked.side);
      return this.#options.changed();
    }
    const side = (which: 'before' | 'after'): vscode.Uri =>
      memoryUri(
        { kind: 'version', ...subject, root: root ?? '', touch: touch.id, side: which },
        name,
      );
    const time = new Intl.DateTimeFormat(vscode.env.language, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    const title = vscode.l10n.t('{0} (change of {1})', name, time.format(touch.at));
    await vscode.commands.executeCommand('vscode.diff', side('before'), side('after'), title);
  }

  /** Everything that was remembered when a turn of the session that is looked at ended. */
  async asOf(): Promise<void> {
    await this.#options.hub.opened();
    const turns = this.#turns();
    const turn = await pickEntry(turnEntries(turns, vscode.env.language, vscode.l10n), {
      title: vscode.l10n.t('Memory As Of Turn'),
      placeholder: vscode.l10n.t('What was remembered when this turn ended'),
      empty: vscode.l10n.t('No agent turn has been recorded in this window yet.'),
    });
    if (turn === undefined) return;
    const root = this.#options.root() ?? '';
    const label = vscode.l10n.t('Memory after turn {0}', turn.number);
    const uri = memoryUri({ kind: 'moment', root, turn: turn.id }, label);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  #turns() {
    return this.#options.hub.current?.model.turns ?? [];
  }

  /** Each once: what is of all projects is found in every folder. */
  async #pick(memory: MemoryUse): Promise<Subject | undefined> {
    const folders = this.#options.folders();
    const item = (label: string, description: string, value: Subject | 'gone') =>
      ({ kind: 'item', label, description, detail: '', value }) as const;
    const entries = new Map<string, PickEntry<Subject | 'gone'>>();
    for (const root of rootsOf(folders)) {
      const own = folders.length > 1 ? folders.find((folder) => folder.root === root)?.folder : '';
      const placed = (text: string, isOwn: boolean) =>
        [...(isOwn && own ? [own] : []), text].join(' · ');
      for (const { name, scope, hook, path: at } of await memory.list(root))
        entries.set(at, item(name, placed(hook, scope === 'project'), { name, scope, root }));
      for (const { scope } of await memory.facts(root)) {
        const isOwn = scope === 'environment';
        const text = placed(vscode.l10n.t('facts'), isOwn);
        const subject = { name: scope, scope: '', root } as const;
        entries.set(isOwn ? `${scope} ${root}` : scope, item(scope, text, subject));
      }
    }
    const title = vscode.l10n.t('Memory History');
    const gone = item(vscode.l10n.t('A note that was forgotten…'), '', 'gone');
    const picked = await pickEntry([...entries.values(), gone], pickTexts(title));
    return picked === 'gone' ? this.#askForgotten(memory, title) : picked;
  }

  /** Where several folders had one of that name, the one that has a history counts. */
  async #askForgotten(memory: MemoryUse, title: string): Promise<Subject | undefined> {
    const name = await inputLine({
      title,
      prompt: vscode.l10n.t('Name of the note'),
      value: '',
      empty: vscode.l10n.t('A note needs a name.'),
    });
    if (name === undefined) return undefined;
    const wanted = { name, scope: '', root: this.#options.root() } as const;
    for (const { root } of this.#options.folders())
      if ((await memory.history(root, name)).length > 0) return { ...wanted, root };
    return wanted;
  }

  #subjectOf(node: MemoryNode | undefined): Subject | undefined {
    const root = () => nodeRoot(node, this.#options);
    if (node?.kind === 'note') return { name: node.name, scope: node.scope, root: root() };
    return node?.kind === 'fact' ? { name: node.scope, scope: '', root: root() } : undefined;
  }
}
