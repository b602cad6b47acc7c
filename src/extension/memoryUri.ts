/** How a text of memory is named: path and query of a `memcode-memory:` or `memcode-waiting:` URI. Pure. */
import { asTurnId, type TurnId } from '../core/ids.ts';
import { type MemoryScope, memoryScopes } from '../core/memory.ts';
import { isMemoryMode, type MemoryMode } from '../core/presets.ts';

/** A root that is empty stands for none. */
export type MemoryText =
  | {
      readonly kind: 'note';
      readonly root: string;
      readonly scope: MemoryScope;
      readonly name: string;
    }
  | { readonly kind: 'preset'; readonly mode: MemoryMode; readonly preset: string }
  /** A document or portrait in the memory folder. */
  | { readonly kind: 'file'; readonly file: string }
  /** What an agent's write would leave there; it may be edited before it is approved. */
  | { readonly kind: 'waiting'; readonly root: string; readonly id: string }
  | { readonly kind: 'replaced'; readonly root: string; readonly id: string }
  /** A file of memory before or after a change. */
  | {
      readonly kind: 'version';
      readonly root: string;
      /** Of a note, or a scope of facts. */
      readonly name: string;
      /** Of a note; empty for facts, and for a note that is gone. */
      readonly scope: MemoryScope | '';
      readonly touch: number;
      readonly side: 'before' | 'after';
    }
  /** Everything as it was when a turn ended. */
  | { readonly kind: 'moment'; readonly root: string; readonly turn: TurnId };

/** @param label what the tab says, without extension */
export function memoryUriParts(text: MemoryText, label: string): { path: string; query: string } {
  const fields = Object.fromEntries(
    Object.entries(text).map(([name, value]) => [name, String(value)]),
  );
  const name =
    label
      .replaceAll(/[/\\\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'memory';
  return { path: `/${name}.md`, query: new URLSearchParams(fields).toString() };
}

/** Undefined for a query that `memoryUriParts` did not make. */
export function parseMemoryQuery(text: string): MemoryText | undefined {
  const query = new URLSearchParams(text);
  const field = (name: string): string => query.get(name) ?? '';
  const root = field('root');
  switch (field('kind')) {
    case 'note': {
      const scope = memoryScopes.find((each) => each === field('scope'));
      const name = field('name');
      return scope && name !== '' ? { kind: 'note', root, scope, name } : undefined;
    }
    case 'preset': {
      const mode = field('mode');
      const preset = field('preset');
      return isMemoryMode(mode) && preset !== '' ? { kind: 'preset', mode, preset } : undefined;
    }
    case 'file':
      return field('file') === '' ? undefined : { kind: 'file', file: field('file') };
    case 'waiting':
    case 'replaced': {
      const kind = field('kind') === 'waiting' ? 'waiting' : 'replaced';
      return field('id') === '' ? undefined : { kind, root, id: field('id') };
    }
    case 'version': {
      const touch = Number(field('touch'));
      const side = field('side');
      const name = field('name');
      if (!Number.isInteger(touch) || name === '') return undefined;
      if (side !== 'before' && side !== 'after') return undefined;
      const scope = memoryScopes.find((each) => each === field('scope')) ?? '';
      return { kind: 'version', root, name, scope, touch, side };
    }
    case 'moment':
      return field('turn') === ''
        ? undefined
        : { kind: 'moment', root, turn: asTurnId(field('turn')) };
    default:
      return undefined;
  }
}
