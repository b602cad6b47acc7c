/** Where something new may be remembered: what a row that was pressed says, or else the places to pick from. Pure. */
import type { Root } from '../core/ids.ts';
import type { FactScope, MemoryScope } from '../core/memory.ts';
import type { TargetScope } from '../memory/documentTargets.ts';
import type { Localizer } from './localizer.ts';
import type { MemoryNode } from './memoryNode.ts';
import type { PickEntry } from './question.ts';
import type { RootFolder } from './timelineModel.ts';

export interface PlaceOptions {
  readonly root: () => Root | null;
  readonly folders: () => readonly RootFolder[];
  readonly rootNamed: (name: string) => Root | null;
}

export interface Place<Scope> {
  readonly scope: Scope;
  /** Null: of no folder. */
  readonly root: Root | null;
}

/** Whose memory a row is of. @throws UserError `notFound` for a folder that is not of this window. */
export function nodeRoot(
  node: MemoryNode | undefined,
  { root, rootNamed }: Omit<PlaceOptions, 'folders'>,
): Root | null {
  return node?.root === undefined ? root() : rootNamed(node.root);
}

/** At least one. */
export function notePlaces(
  node: MemoryNode | undefined,
  options: PlaceOptions,
  l10n: Localizer,
): readonly PickEntry<Place<MemoryScope>>[] {
  return scopedPlaces<MemoryScope>(node, options, {
    everywhere: { scope: 'global', label: l10n.t('For {0}', l10n.t('all projects')) },
    own: {
      scope: 'project',
      label: ({ folder, isOnly }) => l10n.t('For {0}', isOnly ? l10n.t('this project') : folder),
    },
  });
}

/** At least one. */
export function factPlaces(
  node: MemoryNode | undefined,
  options: PlaceOptions,
  l10n: Localizer,
): readonly PickEntry<Place<FactScope>>[] {
  return scopedPlaces<FactScope>(node, options, {
    everywhere: { scope: 'profile', label: l10n.t('About you, in all projects') },
    own: {
      scope: 'environment',
      label: ({ folder, isOnly }) =>
        isOnly ? l10n.t('About this project') : l10n.t('About {0}', folder),
    },
  });
}

/** Groups of the view are called as their scopes. */
function scopedPlaces<Scope extends string>(
  node: MemoryNode | undefined,
  options: PlaceOptions,
  {
    everywhere,
    own,
  }: {
    readonly everywhere: { readonly scope: Scope; readonly label: string };
    readonly own: { readonly scope: Scope; readonly label: (folder: MeantFolder) => string };
  },
): readonly PickEntry<Place<Scope>>[] {
  const all = entry(everywhere.label, everywhere.scope, options.root());
  if (isGroup(node, everywhere.scope)) return [all];
  const places = ofFolders(node, options).map((folder) =>
    entry(own.label(folder), own.scope, folder.root),
  );
  return isGroup(node, own.scope) || node?.kind === 'folder' ? places : [...places, all];
}

/** The folders whose memory is meant; none in an empty window. */
export function projectPlaces(
  node: MemoryNode | undefined,
  options: PlaceOptions,
): readonly PickEntry<Root>[] {
  return ofFolders(node, options).map(({ root, folder }) => ({
    kind: 'item',
    label: folder,
    description: '',
    detail: '',
    value: root,
  }));
}

/** A person's own documents come first: the shared one is not written to unless that is chosen. */
export function documentPlaces(
  node: MemoryNode | undefined,
  options: PlaceOptions,
  l10n: Localizer,
): readonly PickEntry<Place<TargetScope>>[] {
  const folders = ofFolders(node, options);
  const inFolder = (label: string, scope: 'local' | 'project', name: string) =>
    folders.map(({ root, folder, isOnly }) =>
      entry(label, scope, root, isOnly ? name : `${folder}/${name}`),
    );
  return [
    ...inFolder(l10n.t('Yours, here'), 'local', 'AGENTS.local.md'),
    entry(l10n.t('Yours, for all projects'), 'user', options.root()),
    ...inFolder(l10n.t('Of the project, shared'), 'project', 'AGENTS.md'),
  ];
}

interface MeantFolder extends RootFolder {
  /** There is no other in the window. */
  readonly isOnly: boolean;
}

/** The row's, or all. */
function ofFolders(
  node: MemoryNode | undefined,
  { folders, rootNamed }: PlaceOptions,
): readonly MeantFolder[] {
  const all = folders();
  const meant = node?.root === undefined ? undefined : rootNamed(node.root);
  const isOnly = all.length === 1;
  return all
    .filter(({ root }) => meant === undefined || root === meant)
    .map((folder) => ({ ...folder, isOnly }));
}

function isGroup(node: MemoryNode | undefined, group: string): boolean {
  return node?.kind === 'group' && node.group === group;
}

function entry<Scope>(
  label: string,
  scope: Scope,
  root: Root | null,
  description = '',
): PickEntry<Place<Scope>> {
  return { kind: 'item', label, description, detail: '', value: { scope, root } };
}
