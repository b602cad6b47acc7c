/** The Memory view as groups of rows: by kind, with where each came from. Pure. */
import path from 'node:path';
import { agentName } from '../core/agentName.ts';
import type {
  FactSheet,
  MemoryOrigin,
  MemoryScope,
  NoteSummary,
  PendingWrite,
} from '../core/memory.ts';
import { noPreset, type Preset } from '../core/presets.ts';
import type { Localizer } from './localizer.ts';
import { type MemoryGroup, type MemoryNode, memoryGroups } from './memoryNode.ts';
import { factName, type MemorySight } from './memorySight.ts';
import type { Row } from './projectItems.ts';
import { firstLine, plainLabel } from './shortText.ts';

export interface MemoryRow {
  readonly node: MemoryNode;
  readonly row: Row;
}

export interface MemoryGroupRows extends MemoryRow {
  readonly group: MemoryGroup;
  readonly rows: readonly MemoryRow[];
}

export interface MemoryFilter {
  readonly words: string;
  /** Paths of notes whose text has the words. */
  readonly found: ReadonlySet<string>;
}

/** Nothing that a person or an agent has put there: the view says what could be. */
export function isMemoryEmpty({
  notes,
  sheets,
  documents,
  presets,
  ...sight
}: MemorySight): boolean {
  return (
    notes.length + sight.waiting.length + sight.portraits.length + sight.problems.length === 0 &&
    sheets.every(({ facts }) => facts.length === 0) &&
    documents.documents.length + documents.skipped.length === 0 &&
    presets.set.active === noPreset.id
  );
}

/** @returns those of these groups that have rows, in their order */
export function memoryRows(
  sight: MemorySight,
  filter: MemoryFilter | undefined,
  locale: string,
  l10n: Localizer,
  groups: readonly MemoryGroup[] = memoryGroups,
): readonly MemoryGroupRows[] {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const words = { sight, l10n, at: (moment: number) => time.format(moment) };
  return groups.flatMap((group): readonly MemoryGroupRows[] => {
    const all = rowsOf(group, words);
    const rows = filter === undefined ? all : all.filter((each) => fits(each, filter, sight));
    if (rows.length === 0) return [];
    return [{ group, node: { kind: 'group', group }, row: groupRow(group, rows, words), rows }];
  });
}

interface Words {
  readonly sight: MemorySight;
  readonly l10n: Localizer;
  readonly at: (moment: number) => string;
}

function fits(
  { node, row }: MemoryRow,
  { words, found }: MemoryFilter,
  sight: MemorySight,
): boolean {
  const wanted = words.toLowerCase();
  const text = [row.label, row.description, row.tooltip].join('\n').toLowerCase();
  if (text.includes(wanted)) return true;
  return (
    node.kind === 'note' &&
    sight.notes.some(
      ({ scope, name, path: at }) => scope === node.scope && name === node.name && found.has(at),
    )
  );
}

function rowsOf(group: MemoryGroup, words: Words): readonly MemoryRow[] {
  const { sight } = words;
  switch (group) {
    case 'waiting':
      return sight.waiting.map((each) => waitingRow(each, words));
    case 'project':
    case 'global':
      return sight.notes.filter(({ scope }) => scope === group).map((note) => noteRow(note, words));
    case 'environment':
    case 'profile':
      return sight.sheets
        .filter(({ scope }) => scope === group)
        .flatMap((sheet) => factRows(sheet, words));
    case 'documents':
      return documentRows(words);
    case 'presets':
      return sight.presets.set.items.map((preset) => presetRow(preset, words));
    case 'portrait':
      return portraitRows(words);
    case 'problems':
      return sight.problems.map(({ path: label, text }, place) => ({
        node: { kind: 'problem', place },
        row: plainRow(label, text, `${label}\n${text}`, 'warning', 'problem'),
      }));
    default:
      return group satisfies never;
  }
}

function groupRow(group: MemoryGroup, rows: readonly MemoryRow[], { sight, l10n }: Words): Row {
  const sheet = sight.sheets.find(({ scope }) => scope === group);
  const label = groupLabel(group, l10n);
  const active = sight.presets.set.items.find(({ id }) => id === sight.presets.set.active);
  const description =
    group === 'presets'
      ? plainLabel(active?.name ?? noPreset.name)
      : sheet === undefined
        ? String(group === 'portrait' ? sight.portraits.length : rows.length)
        : l10n.t('{0} · about {1} of {2} tokens', rows.length, sheet.used, sheet.cap);
  return plainRow(label, description, label, groupIcons[group], `group.${group}`);
}

const groupIcons: Readonly<Record<MemoryGroup, string>> = {
  waiting: 'bell-dot',
  project: 'notebook',
  global: 'notebook',
  environment: 'symbol-key',
  profile: 'symbol-key',
  documents: 'files',
  presets: 'settings',
  portrait: 'account',
  problems: 'warning',
};

function groupLabel(group: MemoryGroup, l10n: Localizer): string {
  switch (group) {
    case 'waiting':
      return l10n.t('Waiting for Approval');
    case 'project':
      return l10n.t('Notes of This Project');
    case 'global':
      return l10n.t('Notes for All Projects');
    case 'environment':
      return l10n.t('Facts About This Project');
    case 'profile':
      return l10n.t('Facts About You');
    case 'documents':
      return l10n.t('Documents');
    case 'presets':
      return l10n.t('Presets');
    case 'portrait':
      return l10n.t('Portrait');
    case 'problems':
      return l10n.t('Problems');
    default:
      return group satisfies never;
  }
}

function noteRow(note: NoteSummary, words: Words): MemoryRow {
  const { scope, name, hook, mode, pinned, isShadowed, origin, updatedAt, size } = note;
  const { l10n } = words;
  const isNamed = !name.startsWith(hook.replace(/…$/, '')) && !hook.startsWith(name);
  return {
    node: { kind: 'note', scope, name },
    row: plainRow(
      name,
      [
        originText(origin, words),
        ...(mode === null ? [] : [l10n.t('only in {0}', mode)]),
        ...(isShadowed ? [l10n.t('this project’s note of that name counts')] : []),
        ...(isNamed ? [hook] : []),
      ].join(' · '),
      [
        name,
        hook,
        l10n.t('{0}, by {1}', words.at(updatedAt), originText(origin, words)),
        l10n.t('{0} characters', size),
      ].join('\n'),
      pinned ? 'pinned' : 'note',
      ['note', scope, ...(pinned ? ['pinned'] : []), ...turnContext(origin)].join('.'),
    ),
  };
}

function factRows({ scope, facts }: FactSheet, words: Words): readonly MemoryRow[] {
  return facts.map(({ key, value }) => {
    const origin = words.sight.factOrigins.get(factName(scope, key)) ?? null;
    return {
      node: { kind: 'fact', scope, key },
      row: plainRow(
        key,
        value,
        `${key}: ${value}\n${originText(origin, words)}`,
        'symbol-key',
        ['fact', scope, ...turnContext(origin)].join('.'),
      ),
    };
  });
}

function documentRows({ sight: { documents }, l10n }: Words): readonly MemoryRow[] {
  const scopes = {
    user: l10n.t('yours, for all projects'),
    ancestor: l10n.t('of a folder above'),
    project: l10n.t('of the project'),
    local: l10n.t('yours, here'),
  };
  return [
    ...documents.documents.map(
      ({ file, label, scope }): MemoryRow => ({
        node: { kind: 'document', file },
        row: plainRow(label, scopes[scope], file, 'markdown', 'document'),
      }),
    ),
    ...documents.skipped.map(
      ({ file, label, reason }): MemoryRow => ({
        node: { kind: 'document', file },
        row: plainRow(label, l10n.t('left out: {0}', reason), file, 'warning', 'document'),
      }),
    ),
  ];
}

function portraitRows({ sight: { portraits, portraitFile }, l10n }: Words): readonly MemoryRow[] {
  const there = portraits.map(({ label, file, size }): MemoryRow => {
    const row = plainRow(label, l10n.t('{0} bytes', size), file ?? label, 'account', 'portrait');
    return { node: { kind: 'portrait', file: file ?? portraitFile }, row };
  });
  if (portraits.some(({ file }) => file === portraitFile)) return there;
  const name = path.basename(portraitFile);
  const row = plainRow(name, l10n.t('not written yet'), portraitFile, 'account', 'portrait');
  return [...there, { node: { kind: 'portrait', file: portraitFile }, row }];
}

function presetRow({ id, name, content }: Preset, { sight, l10n }: Words): MemoryRow {
  const isActive = id === sight.presets.set.active;
  return {
    node: { kind: 'preset', preset: id },
    row: plainRow(
      name,
      [...(isActive ? [l10n.t('active')] : []), firstLine(content, 100)]
        .filter((part) => part !== '')
        .join(' · '),
      content === '' ? name : `${name}\n\n${content}`,
      isActive ? 'pass-filled' : 'circle-large-outline',
      [id === noPreset.id ? 'none' : 'preset', ...(isActive ? ['active'] : [])].join('.'),
    ),
  };
}

function waitingRow(waiting: PendingWrite, words: Words): MemoryRow {
  const { l10n } = words;
  const { write, origin, at, isStale, id } = waiting;
  const by = originText(origin, words);
  const told = [
    waitingText(waiting, l10n),
    l10n.t('{0}, by {1}', words.at(at), by),
    ...(isStale ? [l10n.t('What it would replace was changed since.')] : []),
    ...(waiting.after === null ? [] : ['', waiting.after]),
  ];
  const isRemoval = write.act === 'forget' || write.act === 'dropFact';
  return {
    node: { kind: 'waiting', waiting: id },
    row: plainRow(
      waitingText(waiting, l10n),
      [by, ...(isStale ? [l10n.t('changed since')] : [])].join(' · '),
      told.join('\n'),
      isStale ? 'warning' : isRemoval ? 'trash' : waiting.before === null ? 'add' : 'edit',
      ['waiting', ...turnContext(origin)].join('.'),
    ),
  };
}

/** What a write asks for, in a few words. */
export function waitingText({ write, before }: PendingWrite, l10n: Localizer): string {
  switch (write.act) {
    case 'remember':
      return before === null
        ? l10n.t('Remember {0}', write.name)
        : l10n.t('Update {0}', write.name);
    case 'forget':
      return l10n.t('Forget {0}', write.name);
    case 'setFact':
      return l10n.t('Set {0}', write.key);
    case 'dropFact':
      return l10n.t('Remove {0}', write.key);
    default:
      return write satisfies never;
  }
}

/** `Claude Code, turn 3`; an origin that is null is a person's own hand in the file. */
export function originText(
  origin: MemoryOrigin | null,
  { sight, l10n }: Pick<Words, 'sight' | 'l10n'>,
): string {
  if (origin === null) return l10n.t('written by hand');
  switch (origin.actor) {
    case 'person':
      return l10n.t('you');
    case 'undo':
      return l10n.t('an undo');
    case 'agent': {
      const name = agentName(origin.agent ?? '') ?? l10n.t('an agent');
      const number = origin.turn === undefined ? undefined : sight.turnNumbers.get(origin.turn);
      return number === undefined ? name : l10n.t('{0}, turn {1}', name, number);
    }
    default:
      return origin.actor satisfies never;
  }
}

/** Names of scopes in questions. */
export function scopeText(scope: MemoryScope, l10n: Localizer): string {
  return scope === 'project' ? l10n.t('this project') : l10n.t('all projects');
}

/** There is a turn to show. */
function turnContext(origin: MemoryOrigin | null): readonly string[] {
  return origin?.turn === undefined ? [] : ['ofTurn'];
}

export function plainRow(
  label: string,
  description: string,
  tooltip: string,
  icon: string,
  context: string,
): Row {
  return {
    label: plainLabel(firstLine(label, 200)),
    description: firstLine(description, 300),
    tooltip,
    icon,
    context,
  };
}
