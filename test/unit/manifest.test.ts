/** package.json and package.nls.json against the code: what one names, the other has. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { memoryTools } from '../../src/app/memoryTools.ts';
import {
  commandIds,
  containerId,
  contextKeys,
  settingIds,
  toolIds,
  turnScheme,
  viewIds,
  walkthroughId,
} from '../../src/extension/names.ts';
import { sourceFiles } from '../helpers/sourceImports.ts';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly enablement?: string;
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
}

interface View {
  readonly id: string;
  readonly when?: string;
}

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly markdownDescription: string;
}

interface Manifest {
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly main: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly MenuItem[];
    readonly views: Readonly<Record<string, readonly View[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly modelDescription: string;
      readonly inputSchema: unknown;
    }[];
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly steps: readonly { readonly completionEvents: readonly string[] }[];
    }[];
  };
}

const project = path.resolve(import.meta.dirname, '..', '..');
const text = readFileSync(path.join(project, 'package.json'), 'utf8');
const manifest: Manifest = JSON.parse(text);
const strings: Record<string, string> = JSON.parse(
  readFileSync(path.join(project, 'package.nls.json'), 'utf8'),
);
const { contributes } = manifest;
const declaredCommands = contributes.commands.map(({ command }) => command);
const declaredViews = Object.values(contributes.views)
  .flat()
  .map(({ id }) => id);

/** Context keys VS Code itself sets. */
const builtInKeys = new Set([
  'view',
  'viewItem',
  'focusedView',
  'webviewId',
  'isWorkspaceTrusted',
  'workspaceFolderCount',
  'resourceScheme',
  'isInDiffEditor',
]);
/** What clauses of the page's context menus ask for besides: set by `data-vscode-context` in the page. */
const pageKeys = (contributes.menus['webview/context'] ?? [])
  .flatMap(({ when = '' }) => keysIn(when))
  .filter((key) => !builtInKeys.has(key) && !key.startsWith('memcode.'));

test('commands: declared once, and just those the code registers', () => {
  assert.deepEqual([...declaredCommands].sort(), Object.values(commandIds).sort());
});

test('commands: ids, category and title follow the conventions', () => {
  for (const { command, category, title } of contributes.commands) {
    assert.match(command, /^memcode\.[a-z]+[A-Za-z]*$/);
    assert.equal(category, 'Memcode');
    assert.match(title, /^%.+%$/);
  }
});

test('menus and key bindings name declared commands', () => {
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
  const undeclared = used.filter(({ command }) => !declaredCommands.includes(command));
  assert.deepEqual(undeclared, []);
});

test('key bindings work only where the view has the focus', () => {
  for (const { when } of contributes.keybindings)
    assert.match(when ?? '', /^memcode\.timelineFocus\b/);
});

test('views and their container: just those the code knows', () => {
  assert.deepEqual([...declaredViews].sort(), Object.values(viewIds).sort());
  assert.deepEqual(Object.keys(contributes.views), [containerId]);
  assert.deepEqual(
    Object.values(contributes.viewsContainers)
      .flat()
      .map(({ id }) => id),
    [containerId],
  );
  for (const { view } of contributes.viewsWelcome) assert.ok(declaredViews.includes(view), view);
});

test('settings: just those the code reads, each with default, scope and description', () => {
  const settings = contributes.configuration.properties;
  assert.deepEqual(Object.keys(settings).sort(), Object.values(settingIds).sort());
  for (const [id, setting] of Object.entries(settings)) {
    assert.notEqual(setting.default, undefined, id);
    assert.match(setting.scope, /^(machine|window|resource|application|machine-overridable)$/);
    assert.match(setting.markdownDescription, /^%.+%$/);
  }
});

test('settings: what agents may remember and are given is no folder’s to say', () => {
  for (const [id, { scope }] of Object.entries(contributes.configuration.properties))
    if (id.startsWith('memcode.memory.')) assert.equal(scope, 'machine', id);
});

test('tools for language models: just those that every host has, word for word', () => {
  assert.deepEqual(
    contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
      ...{ name, modelDescription, inputSchema },
    })),
    memoryTools.map(({ name, description, input }) => ({
      ...{ name: toolIds[name], modelDescription: description, inputSchema: input },
    })),
  );
});

test('when clauses use context keys that somebody sets', () => {
  const ours = new Set<string>(Object.values(contextKeys));
  const known = (key: string): boolean =>
    ours.has(key) || builtInKeys.has(key) || key.startsWith('config.memcode.');
  const unknown = clauses()
    .flatMap(keysIn)
    .filter((key) => !known(key));
  assert.deepEqual(
    unknown.filter((key) => !pageKeys.includes(key)),
    [],
  );
});

test('context keys are set by the code, and used', () => {
  const code = textOf('src/extension/**/*.ts');
  const clausesText = clauses().join('\n');
  for (const [name, key] of Object.entries(contextKeys)) {
    assert.ok(code.includes(`contextKeys.${name}`), `${key} is never set`);
    assert.ok(clausesText.includes(key), `${key} is in no when clause`);
  }
});

test("the page's context menus ask only for keys the page sets", () => {
  const page = textOf('webview/**/*.ts');
  assert.match(page, /data-vscode-context/);
  for (const key of pageKeys) assert.match(page, new RegExp(`\\b${key}:`), key);
});

test('walkthroughs: their id, and completion events that can happen', () => {
  assert.deepEqual(
    contributes.walkthroughs.map(({ id }) => id),
    [walkthroughId],
  );
  for (const event of contributes.walkthroughs
    .flatMap(({ steps }) => steps)
    .flatMap(({ completionEvents }) => completionEvents)) {
    const [kind, what = ''] = event.split(/:(.*)/s);
    if (kind === 'onCommand') assert.ok(declaredCommands.includes(what), event);
    else if (kind === 'onView') assert.ok(declaredViews.includes(what), event);
    else assert.equal(kind, 'onContext', event);
  }
});

test('strings: every %key% has a text, and every text is used', () => {
  const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ''));
  assert.deepEqual(Object.keys(strings).sort(), [...used].sort());
});

test('strings: command links name declared commands', () => {
  const links = Object.values(strings).flatMap((value) =>
    [...value.matchAll(/command:(memcode\.\w+)/g)].map(([, command]) => command ?? ''),
  );
  assert.deepEqual(
    links.filter((command) => !declaredCommands.includes(command)),
    [],
  );
});

test('files the manifest names exist, and are packaged', () => {
  const named = [...text.matchAll(/"((?:media|l10n)\/[^"]+)"/g)].map(([, file]) => file ?? '');
  assert.ok(named.includes(manifest.icon));
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(project, file))),
    [],
  );
  const ignore = readFileSync(path.join(project, '.vscodeignore'), 'utf8').split('\n');
  assert.equal(ignore[0], '**', 'an allow-list begins by leaving everything out');
  for (const file of [...named, manifest.main.slice(2), ...Object.values(manifest.bin)])
    assert.ok(
      ignore.some((line) => line.startsWith('!') && matches(file, line.slice(1))),
      `${file} is not packaged`,
    );
});

test('activation: implied by views and commands, plus our file system, never *', () => {
  assert.ok(!manifest.activationEvents.includes('*'));
  assert.ok(manifest.activationEvents.includes(`onFileSystem:${turnScheme}`));
});

test('the lowest VS Code is the one the types are of', () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
});

function clauses(): readonly string[] {
  return [
    ...Object.values(contributes.menus).flat(),
    ...contributes.keybindings,
    ...Object.values(contributes.views).flat(),
    ...contributes.viewsWelcome,
  ]
    .map(({ when }) => when ?? '')
    .concat(contributes.commands.map(({ enablement }) => enablement ?? ''))
    .filter((clause) => clause !== '');
}

/** Names in a when clause that are not quoted text or a constant. */
function keysIn(clause: string): readonly string[] {
  const bare = clause.replaceAll(/'[^']*'|\/[^/]*\//g, '');
  return (bare.match(/[A-Za-z][\w.]*/g) ?? []).filter(
    (word) => !['true', 'false', 'in', 'not'].includes(word),
  );
}

function textOf(glob: string): string {
  return sourceFiles(project, glob)
    .map((file) => readFileSync(path.join(project, file), 'utf8'))
    .join('\n');
}

function matches(file: string, pattern: string): boolean {
  return path.posix.matchesGlob(file, pattern);
}

/** Commands that the palette does not show: what to use from there, or why not. */
const insteadInPalette: Readonly<Record<string, string>> = {
  openFileDiff: 'Show Turn Changes has all files of the turn looked at',
  openFile: 'the file is in the workspace: Go to File',
  openProjectSession: 'Select Session',
  openTurn: 'Show Turn Changes and Read Prompt and Reply, for the turn looked at',
  commitTurn: 'the message about the turn and the page of its project, which name what is left',
  editMemory: 'Search Memory leads to the entry',
  renameNote: 'Search Memory leads to the note, which has it in its menu',
  pinNote: 'Search Memory leads to the note, which has it in its menu',
  unpinNote: 'Search Memory leads to the note, which has it in its menu',
  moveNote: 'Search Memory leads to the note, which has it in its menu',
  setNoteMode: 'Search Memory leads to the note, which has it in its menu',
  forgetMemory: 'Search Memory leads to the entry, which has it in its menu',
  showMemoryTurn: 'Memory History names the turns',
  usePreset: 'Switch Preset',
  removePreset: 'it needs the row of a preset in the Memory view',
};

test('what the palette hides is named here, with why', () => {
  const hidden = (manifest.contributes.menus['commandPalette'] ?? [])
    .filter(({ when }) => when === 'false')
    .map(({ command }) => command.replace('memcode.', ''));
  assert.deepEqual(hidden.toSorted(), Object.keys(insteadInPalette).toSorted());
});
