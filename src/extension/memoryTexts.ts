/** Reads and writes the texts of memory that editors show. Every change goes through the app, which keeps its rules. No vscode. */
import type { TimelineApp } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { PendingWrite } from '../core/memory.ts';
import { noPreset } from '../core/presets.ts';
import type { Localizer } from './localizer.ts';
import { momentText } from './memoryMoment.ts';
import type { MemoryText } from './memoryUri.ts';

type App = Pick<TimelineApp, 'memory' | 'memoryContext' | 'turn'>;

export interface MemoryTextsOptions {
  readonly app: () => Promise<App>;
  /** Of this window, and null. @throws UserError `notFound` for any other: a name may come from anywhere. */
  readonly root: (name: string) => Root | null;
  readonly l10n: Localizer;
}

export class MemoryTexts {
  readonly #options: MemoryTextsOptions;
  /** What people made of agents' writes that wait, by id. */
  readonly #drafts = new Map<string, string>();

  constructor(options: MemoryTextsOptions) {
    this.#options = options;
  }

  /** @throws UserError `notFound` for what is not there, or not there any more. */
  async read(text: MemoryText): Promise<string> {
    const app = await this.#options.app();
    switch (text.kind) {
      case 'note': {
        const memory = await app.memory();
        return (await memory.show(this.#options.root(text.root), text.name, text.scope)).body;
      }
      case 'preset': {
        const { set } = (await app.memoryContext()).presets(text.mode);
        const preset = set.items.find(({ id }) => id === text.preset);
        if (preset !== undefined) return preset.content;
        throw this.#gone();
      }
      case 'file':
        return (await app.memoryContext()).raw(null, text.file) ?? '';
      case 'waiting':
        return this.#drafts.get(text.id) ?? (await this.waiting(text)).after ?? '';
      case 'replaced':
        return (await this.waiting(text)).before ?? '';
      case 'version': {
        const memory = await app.memory();
        const scope = text.scope === '' ? undefined : text.scope;
        const versions = await memory.history(this.#options.root(text.root), text.name, scope);
        const version = versions.find(({ touch }) => touch.id === text.touch);
        if (version === undefined) throw this.#gone();
        const shown = version[text.side];
        if (shown !== undefined) return shown ?? '';
        throw new UserError('damaged', this.#options.l10n.t('That text is not kept any more.'));
      }
      case 'moment': {
        const memory = await app.memory();
        const moment = await memory.asOf(this.#options.root(text.root), text.turn);
        return momentText(moment, app.turn(text.turn), this.#options.l10n);
      }
      default:
        return text satisfies never;
    }
  }

  /** Whether saving it changes memory. */
  async isEditable(text: MemoryText): Promise<boolean> {
    switch (text.kind) {
      case 'note':
      case 'file':
        return true;
      case 'preset':
        return text.preset !== noPreset.id;
      case 'waiting':
        return (await this.waiting(text)).write.act === 'remember';
      case 'replaced':
      case 'version':
      case 'moment':
        return false;
      default:
        return text satisfies never;
    }
  }

  /** @param seen what the editor was given @throws UserError as the app: `conflicts`, `secret`, `usage`, … */
  async write(text: MemoryText, content: string, seen: string): Promise<void> {
    const app = await this.#options.app();
    switch (text.kind) {
      case 'note': {
        const memory = await app.memory();
        const root = this.#options.root(text.root);
        await memory.edit(root, text.name, { body: content, was: seen }, text.scope);
        return;
      }
      case 'preset': {
        const edit = { act: 'edit', preset: text.preset, content } as const;
        await (await app.memoryContext()).editPresets(edit, text.mode);
        return;
      }
      case 'file': {
        const context = await app.memoryContext();
        // An empty file and none look the same in an editor.
        const there = context.raw(null, text.file);
        await context.save(null, text.file, there === undefined ? undefined : seen, content);
        return;
      }
      case 'waiting':
        this.#drafts.set(text.id, content);
        return;
      case 'replaced':
      case 'version':
      case 'moment':
        throw new UserError('refused', this.#options.l10n.t('That text cannot be changed.'));
      default:
        text satisfies never;
    }
  }

  /** What a person made of it, if they did. */
  draft(id: string): string | undefined {
    return this.#drafts.get(id);
  }

  /** It does not wait any more. */
  dropDraft(id: string): void {
    this.#drafts.delete(id);
  }

  /** @throws UserError `notFound` when it was decided meanwhile. */
  async waiting({
    root,
    id,
  }: {
    readonly root: string;
    readonly id: string;
  }): Promise<PendingWrite> {
    const memory = await (await this.#options.app()).memory();
    const all = await memory.pending(this.#options.root(root));
    const found = all.find((each) => each.id === id);
    if (found !== undefined) return found;
    throw this.#gone();
  }

  #gone(): UserError {
    return new UserError('notFound', this.#options.l10n.t('That is not there any more.'));
  }
}
