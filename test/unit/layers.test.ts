/** Imports only point down; see src/ARCHITECTURE.md. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  importsOf,
  type SourceImport,
  sourceFiles,
  sourceImports,
} from '../helpers/sourceImports.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const longestFile = 500;

/** From the bottom up. Folders of one layer never import each other. */
const layers: readonly (readonly string[])[] = [
  ['src/core'],
  ['src/base'],
  ['src/git'],
  ['src/checkpoint', 'src/snapshot', 'src/session', 'src/project', 'src/memory'],
  ['src/agents'],
  ['src/app'],
  ['src/protocol'],
  ['src/extension', 'src/cli', 'src/mcp'],
];

const files = sourceFiles(project, 'src/**/*.ts', 'webview/**/*.ts');
const imports = sourceImports(project, files);

test('finds imports of every form and nothing else', () => {
  const text = [
    "import a, { type B } from './a.ts';",
    "import type {\n  C,\n  D,\n} from 'c';",
    "import './side.ts';",
    "export { e } from '../e.ts';",
    "export type F = 'not from this';",
    "const lazy = await import('./lazy.ts');",
    " * import { x } from 'comment';",
  ].join('\n');
  assert.deepEqual(importsOf(text), ['./a.ts', 'c', './side.ts', '../e.ts', './lazy.ts']);
});

test('every source file is in a layer', () => {
  assert.ok(files.length > 0);
  check(
    files
      .filter((file) => file.startsWith('src/') && layerOf(file) === undefined)
      .map((file) => ({ file, target: 'no layer' })),
  );
});

test('every relative import names a file', () => {
  check(
    imports.filter(
      ({ target }) =>
        /^(src|webview|test)\//.test(target) && !existsSync(path.join(project, target)),
    ),
  );
});

test('imports point down', () => {
  check(
    imports.filter(({ file, target }) => {
      const from = layerOf(file);
      const to = layerOf(target);
      if (from === undefined || to === undefined || from.folder === to.folder) return false;
      return to.level >= from.level;
    }),
  );
});

test('sources import nothing of the tests, the page or the build', () => {
  check(
    imports.filter(
      ({ file, target }) => file.startsWith('src/') && /^(test|webview|dist|media)\//.test(target),
    ),
  );
});

test('the page imports protocol, core and packages only', () => {
  check(
    imports.filter(
      ({ file, target }) =>
        file.startsWith('webview/') &&
        !/^(webview|src\/protocol|src\/core)\//.test(target) &&
        (/^(src|test)\//.test(target) || isOfRuntime(target)),
    ),
  );
});

test('core and protocol run anywhere: no node module, no vscode', () => {
  check(
    imports.filter(
      ({ file, target }) => /^src\/(core|protocol)\//.test(file) && isOfRuntime(target),
    ),
  );
});

test('only the extension imports vscode', () => {
  check(
    imports.filter(({ file, target }) => target === 'vscode' && !file.startsWith('src/extension/')),
  );
});

test('only git runs git', () => {
  check(
    imports.filter(({ file, target }) => target === 'simple-git' && !file.startsWith('src/git/')),
  );
});

test('no file is longer than a few screens', () => {
  const tooLong = sourceFiles(project, 'src/**/*.ts', 'webview/**/*.{ts,css}', 'test/**/*.{ts,mjs}')
    .map((file) => ({
      file,
      lines: readFileSync(path.join(project, file), 'utf8').split('\n').length - 1,
    }))
    .filter(({ file, lines }) => lines > longestFile && !file.startsWith('test/fixtures/'));
  assert.deepEqual(tooLong, []);
});

function layerOf(file: string): { readonly folder: string; readonly level: number } | undefined {
  for (const [level, folders] of layers.entries()) {
    const folder = folders.find((name) => file.startsWith(`${name}/`));
    if (folder !== undefined) return { folder, level };
  }
  return undefined;
}

function isOfRuntime(target: string): boolean {
  return target === 'vscode' || target.startsWith('node:');
}

function check(wrong: readonly SourceImport[]): void {
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} → ${target}`),
    [],
  );
}
