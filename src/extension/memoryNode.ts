/** What a row of the Memory view stands for. Menus hand it on as the argument of their commands. Pure. */
import { type FactScope, factScopes, type MemoryScope, memoryScopes } from '../core/memory.ts';

export const memoryGroups = [
  'waiting',
  'project',
  'global',
  'environment',
  'profile',
  'documents',
  'presets',
  'portrait',
  'problems',
] as const;
export type MemoryGroup = (typeof memoryGroups)[number];

/** A root says which folder is meant, where a window has several; missing: the one, or none in particular. */
export type MemoryNode = (
  | { readonly kind: 'group'; readonly group: MemoryGroup }
  | { readonly kind: 'note'; readonly scope: MemoryScope; readonly name: string }
  | { readonly kind: 'fact'; readonly scope: FactScope; readonly key: string }
  | { readonly kind: 'document' | 'portrait'; readonly file: string }
  | { readonly kind: 'preset'; readonly preset: string }
  | { readonly kind: 'waiting'; readonly waiting: string }
  | { readonly kind: 'problem'; readonly place: number }
  | { readonly kind: 'folder' }
) & { readonly root?: string };

/** Ids are unique in the view. */
export function nodeId(node: MemoryNode): string {
  return JSON.stringify(Object.values(node));
}

/** What a command was called for, from a menu, a key or another extension. Undefined: nothing that we know. */
export function memoryArgument(value: unknown): MemoryNode | undefined {
  const at = fieldsOf(value);
  const node = nodeIn(at);
  const root = at['root'];
  return node && typeof root === 'string' && root !== '' ? { ...node, root } : node;
}

function nodeIn(at: Readonly<Record<string, unknown>>): MemoryNode | undefined {
  const text = (name: string): string | undefined => {
    const field = at[name];
    return typeof field === 'string' && field !== '' ? field : undefined;
  };
  switch (at['kind']) {
    case 'group': {
      const group = memoryGroups.find((each) => each === at['group']);
      return group && { kind: 'group', group };
    }
    case 'note': {
      const scope = memoryScopes.find((each) => each === at['scope']);
      const name = text('name');
      return scope && name !== undefined ? { kind: 'note', scope, name } : undefined;
    }
    case 'fact': {
      const scope = factScopes.find((each) => each === at['scope']);
      const key = text('key');
      return scope && key !== undefined ? { kind: 'fact', scope, key } : undefined;
    }
    case 'document':
    case 'portrait': {
      const file = text('file');
      return file === undefined ? undefined : { kind: at['kind'], file };
    }
    case 'preset': {
      const preset = text('preset');
      return preset === undefined ? undefined : { kind: 'preset', preset };
    }
    case 'waiting': {
      const waiting = text('waiting');
      return waiting === undefined ? undefined : { kind: 'waiting', waiting };
    }
    case 'folder':
      return { kind: 'folder' };
    default:
      return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
