/** The Memory view's groups and rows, and what its texts and rows are called. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryVersion } from '../../../src/app/memoryUse.ts';
import { asSessionId, asTurnId, type Root } from '../../../src/core/ids.ts';
import type {
  MemoryOrigin,
  MemoryTouch,
  NoteSummary,
  PendingWrite,
} from '../../../src/core/memory.ts';
import { noPreset } from '../../../src/core/presets.ts';
import { type MemoryBranch, memoryBranches } from '../../../src/extension/memoryBranches.ts';
import { momentText } from '../../../src/extension/memoryMoment.ts';
import { memoryArgument } from '../../../src/extension/memoryNode.ts';
import { isMemoryEmpty, memoryRows } from '../../../src/extension/memoryRows.ts';
import { type MemorySight, originOf } from '../../../src/extension/memorySight.ts';
import {
  type MemoryText,
  memoryUriParts,
  parseMemoryQuery,
} from '../../../src/extension/memoryUri.ts';
import { presetEntries } from '../../../src/extension/presetEntries.ts';
import { versionEntries } from '../../../src/extension/versionEntries.ts';
import { plainLocalizer as l10n } from '../../helpers/plainLocalizer.ts';

const root = '/repo' as Root;
const turn = asTurnId('s#3');
const byAgent: MemoryOrigin = {
  actor: 'agent',
  agent: 'claude',
  session: asSessionId('s'),
  turn,
};

const empty: MemorySight = {
  root,
  notes: [],
  sheets: [
    { scope: 'profile', facts: [], used: 0, cap: 1000, problems: [] },
    { scope: 'environment', facts: [], used: 0, cap: 2000, problems: [] },
  ],
  factOrigins: new Map(),
  documents: { documents: [], skipped: [], importProblems: [], isTrusted: true },
  presets: { mode: 'dev', set: { active: noPreset.id, items: [noPreset] } },
  portraits: [],
  portraitFile: '/home/memory/portrait/dev.md',
  waiting: [],
  problems: [],
  turnNumbers: new Map([[turn, 3]]),
};

function note(given: Partial<NoteSummary> & { readonly name: string }): NoteSummary {
  const { name } = given;
  return {
    ...{ scope: 'project', path: `projects/p/notes/${name}.md`, hook: name, mode: null },
    ...{ pinned: false, createdAt: 0, updatedAt: 0, origin: null, size: 10, isShadowed: false },
    ...given,
  };
}

function waiting(given: Partial<PendingWrite>): PendingWrite {
  const write = { act: 'remember', scope: 'project', name: 'Style', body: 'Tabs.' } as const;
  return {
    ...{ id: 'w', at: 0, origin: byAgent, project: 'p', write },
    ...{ before: null, after: 'Tabs.', isStale: false },
    ...given,
  };
}

/** `group: label | description | icon | context` of all rows. */
function shown(sight: MemorySight, words?: string, found: readonly string[] = []) {
  const filter = words === undefined ? undefined : { words, found: new Set(found) };
  return memoryRows(sight, filter, 'en', l10n).flatMap(({ group, rows }) =>
    rows.map(
      ({ row }) => `${group}: ${row.label} | ${row.description} | ${row.icon} | ${row.context}`,
    ),
  );
}

test('memory view: rows by kind, each with where it came from', () => {
  const sight: MemorySight = {
    ...empty,
    notes: [
      note({ name: 'Style', hook: 'Indent with tabs.', origin: byAgent, pinned: true }),
      note({ name: 'Tone', scope: 'global', origin: { actor: 'person' }, mode: 'dev' }),
      note({ name: 'Style', scope: 'global', isShadowed: true, hook: 'Style' }),
      note({ name: '$(trash)', origin: { actor: 'agent' } }),
    ],
    sheets: [
      {
        ...{ scope: 'profile', used: 12, cap: 1000, problems: [] },
        facts: [{ key: 'editor', value: 'vi' }],
      },
    ],
    factOrigins: new Map([['profile editor', byAgent]]),
    documents: {
      ...empty.documents,
      documents: [
        {
          ...{ scope: 'project', file: '/repo/AGENTS.md', label: 'AGENTS.md' },
          ...{ text: 'x', hasImports: false },
        },
      ],
      skipped: [{ label: 'CLAUDE.md', file: '/repo/CLAUDE.md', reason: 'it is too long' }],
    },
    waiting: [
      waiting({}),
      waiting({
        ...{ id: 'x', isStale: true, before: 'Tabs.', after: null },
        write: { act: 'forget', scope: 'project', name: 'Style' },
      }),
    ],
    problems: [{ path: 'notes/x.md', text: 'It is cut.' }],
  };
  assert.deepEqual(shown(sight), [
    'waiting: Remember Style | Claude Code, turn 3 | add | waiting.ofTurn',
    'waiting: Forget Style | Claude Code, turn 3 · changed since | warning | waiting.ofTurn',
    'project: Style | Claude Code, turn 3 · Indent with tabs. | pinned | note.project.pinned.ofTurn',
    'project: $\u200b(trash) | an agent | note | note.project',
    'global: Tone | you · only in dev | note | note.global',
    'global: Style | written by hand · this project’s note of that name counts | note | note.global',
    'profile: editor | vi | symbol-key | fact.profile.ofTurn',
    'documents: AGENTS.md | of the project | markdown | document',
    'documents: CLAUDE.md | left out: it is too long | warning | document',
    'presets: None | active | pass-filled | none.active',
    'portrait: dev.md | not written yet | account | portrait',
    'problems: notes/x.md | It is cut. | warning | problem',
  ]);
  const groups = memoryRows(sight, undefined, 'en', l10n);
  const profile = groups.find(({ group }) => group === 'profile');
  assert.equal(profile?.row.description, '1 · about 12 of 1000 tokens');
});

test('memory view: a search finds names, values, origins, and notes by their text', () => {
  const notes = [
    note({ name: 'Style', origin: byAgent }),
    note({ name: 'Other', path: 'projects/p/notes/other.md' }),
  ];
  const sight = { ...empty, notes };
  assert.deepEqual(
    shown(sight, 'sTYLe').map((line) => line.split(' |')[0]),
    ['project: Style'],
  );
  assert.deepEqual(
    shown(sight, 'turn 3').map((line) => line.split(' |')[0]),
    ['project: Style'],
  );
  assert.deepEqual(
    shown(sight, 'inside', ['projects/p/notes/other.md']).map((line) => line.split(' |')[0]),
    ['project: Other'],
  );
  assert.deepEqual(shown(sight, 'nowhere'), []);
});

test('memory view: each of several folders is a branch with what is of it alone', () => {
  const common = { ...empty, notes: [note({ name: 'Style', scope: 'global' })] };
  const own = { ...empty, notes: [note({ name: 'Deploy' })], waiting: [waiting({})] };
  const doubtful = { ...empty, documents: { ...empty.documents, isTrusted: false } };
  const sights = {
    common: { ...common, waiting: [waiting({ id: 'all', project: null })] },
    folders: [
      { root, folder: 'shop', sight: own },
      { root: '/site' as Root, folder: 'site', sight: doubtful },
    ],
  };
  const filter = { words: 'deploy', found: new Set<string>() };
  const labels = (branches: readonly MemoryBranch[]) =>
    branches.map(({ row, rows }) => [row.label, row.description, rows.length]);
  const branches = memoryBranches(sights, undefined, 'en', l10n);
  assert.deepEqual(labels(branches), [
    ['Waiting for Approval', '1', 1],
    ['shop', '', 2],
    ['site', 'not trusted: none of its documents is read', 0],
    ['Notes for All Projects', '1', 1],
    ['Presets', 'None', 1],
    ['Portrait', '0', 1],
  ]);
  assert.deepEqual(
    branches[1]?.rows.map((group) => 'rows' in group && group.rows.map(({ node }) => node)),
    [
      [{ kind: 'waiting', waiting: 'w', root }],
      [{ kind: 'note', scope: 'project', name: 'Deploy', root }],
    ],
  );
  assert.deepEqual(labels(memoryBranches(sights, filter, 'en', l10n)), [['shop', '', 1]]);
  const nothing = { common: empty, folders: [{ root, folder: 'shop', sight: empty }] };
  assert.deepEqual(memoryBranches(nothing, undefined, 'en', l10n), []);
});

test('memory view: empty means that nobody put anything there', () => {
  assert.equal(isMemoryEmpty(empty), true);
  assert.equal(isMemoryEmpty({ ...empty, notes: [note({ name: 'x' })] }), false);
  assert.equal(isMemoryEmpty({ ...empty, waiting: [waiting({})] }), false);
  const set = { active: 'a', items: [noPreset, { ...noPreset, id: 'a', name: 'A' }] };
  assert.equal(isMemoryEmpty({ ...empty, presets: { mode: 'dev', set } }), false);
});

test('memory view: a fact is whose who gave it the value it has', () => {
  const version = (
    id: number,
    before: string | null,
    after: string | null,
    origin: MemoryOrigin,
  ): MemoryVersion => ({ touch: { ...touchOf(id), origin }, before, after });
  const person: MemoryOrigin = { actor: 'person' };
  const versions = [
    version(3, 'a: 1\nb: 1\n', 'a: 1\nb: 2\n', person),
    version(2, 'a: 1\n', 'a: 1\nb: 1\n', byAgent),
    version(1, null, 'a: 1\n', byAgent),
  ];
  assert.equal(originOf({ key: 'b', value: '2' }, versions), person);
  assert.equal(originOf({ key: 'a', value: '1' }, versions), byAgent);
  assert.equal(originOf({ key: 'a', value: '9' }, versions), undefined, 'changed by hand');
  assert.equal(originOf({ key: 'c', value: '1' }, versions), undefined);
});

test('memory view: what commands are called for is checked', () => {
  const nodes = [
    { kind: 'group', group: 'project' },
    { kind: 'note', scope: 'global', name: 'Style' },
    { kind: 'fact', scope: 'profile', key: 'editor' },
    { kind: 'document', file: '/repo/AGENTS.md' },
    { kind: 'preset', preset: 'none' },
    { kind: 'waiting', waiting: 'w' },
    { kind: 'folder', root: '/repo' },
  ];
  for (const node of nodes) assert.deepEqual(memoryArgument(node), node);
  const placed = { kind: 'note', scope: 'project', name: 'Style', root: '/repo' };
  assert.deepEqual(memoryArgument(placed), placed);
  assert.deepEqual(memoryArgument({ ...placed, root: 3 }), { ...nodes[1], scope: 'project' });
  const others = [
    ...[undefined, null, 'note', 3, {}, { kind: 'note', scope: 'elsewhere', name: 'x' }],
    ...[
      { kind: 'note', scope: 'global', name: 5 },
      { kind: 'group', group: 'x' },
    ],
    ...[
      { kind: 'waiting', waiting: '' },
      { kind: 'problem', place: 0 },
    ],
  ];
  for (const other of others) assert.equal(memoryArgument(other), undefined);
});

test('memory texts: names go through a URI and back, and nothing else is one', () => {
  const texts: readonly MemoryText[] = [
    { kind: 'note', root: '', scope: 'global', name: '名/前 & x=y' },
    { kind: 'preset', mode: 'dev', preset: 'p' },
    { kind: 'file', file: '/home/memory/portrait/dev.md' },
    { kind: 'waiting', root: '/repo', id: 'w' },
    { kind: 'replaced', root: '/repo', id: 'w' },
    { kind: 'version', root: '/repo', name: 'x', scope: '', touch: 4, side: 'before' },
    { kind: 'moment', root: '/repo', turn },
  ];
  for (const text of texts)
    assert.deepEqual(parseMemoryQuery(memoryUriParts(text, 'x').query), text);
  assert.equal(memoryUriParts(texts[0]!, '../名/前').path, '/.. 名 前.md');
  assert.equal(memoryUriParts(texts[0]!, '//').path, '/memory.md');
  for (const query of [
    '',
    'kind=note&scope=project',
    'kind=preset&mode=other&preset=x',
    'kind=version&name=x&touch=1.5&side=before',
    'kind=version&name=x&touch=1&side=left',
    'kind=moment',
  ])
    assert.equal(parseMemoryQuery(query), undefined, query);
});

test('presets to pick: the active one is marked, none cannot be edited, a new one comes last', () => {
  const set = { active: 'a', items: [noPreset, { ...noPreset, id: 'a', name: 'A', content: 'B' }] };
  const entries = presetEntries(set, l10n);
  assert.deepEqual(
    entries.map((entry) =>
      entry.kind === 'separator'
        ? '-'
        : `${entry.label} ${entry.description} ${entry.buttons?.length ?? 0}`,
    ),
    ['None  0', 'A active 1', '-', 'New Preset…  0'],
  );
});

test('versions to pick: who changed what when, and which text comes back', () => {
  const versions: readonly MemoryVersion[] = [
    { touch: { ...touchOf(2), before: 'h', after: null }, before: 'text', after: null },
    { touch: { ...touchOf(1), after: 'h' }, before: null, after: 'front\n---\ntext\n' },
    { touch: { ...touchOf(0), after: 'h' }, before: null, after: undefined },
  ];
  const entries = versionEntries(versions, ({ touch }) => touch.id, 'en', l10n);
  const items = entries.filter((entry) => entry.kind === 'item');
  assert.deepEqual(
    items.map(({ label, detail }) => [label, detail]),
    [
      ['Removed', 'text'],
      ['Written', 'text'],
      ['Written', ''],
    ],
  );
  assert.match(items[0]?.description ?? '', /^you · turn 2 · /);
  const backs = items.map(({ buttons = [] }) => buttons.map(({ value }) => value));
  assert.deepEqual(backs, [
    [{ act: 'restore', version: versions[0], side: 'before' }],
    [{ act: 'restore', version: versions[1], side: 'after' }],
    [],
  ]);
});

test('memory as it was: no text of a note can look like a heading', () => {
  const text = momentText(
    {
      at: 0,
      notes: [{ ...note({ name: 'Style' }), body: '# Fake\nTabs.' }],
      sheets: [
        {
          ...{ scope: 'profile', used: 1, cap: 2, problems: [] },
          facts: [{ key: 'editor', value: 'vi' }],
        },
      ],
      gone: ['notes/old.md'],
    },
    { number: 3, prompt: 'Do it' },
    l10n,
  );
  assert.equal(
    text,
    [
      '# Memory after turn 3: Do it',
      '## Facts about you',
      '- editor: vi',
      '## Style (note of this project)',
      '> # Fake\n> Tabs.',
      'The text of notes/old.md at that time is not kept any more.\n',
    ].join('\n\n'),
  );
});

function touchOf(id: number): MemoryTouch {
  return {
    ...{ id, at: 0, origin: { actor: 'person' }, operation: null },
    ...{ path: 'notes/x.md', before: null, after: null },
  };
}
