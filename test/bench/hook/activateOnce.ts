/**
 * `activateOnce.ts EXTENSION`: loads the bundle and activates it in a VS Code that does nothing, so that only the
 * extension's own work is measured. Prints the milliseconds of both together and how many commands were registered.
 */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';

/** What a caller may look into; everything else of the API is `nothing`. */
const known: Readonly<Record<PropertyKey, unknown>> = {
  workspaceFolders: [],
  language: 'en',
  t: (text: string) => text,
  registerCommand: () => {
    commands++;
    return nothing;
  },
  // biome-ignore lint/suspicious/noThenProperty: it must not look like a promise.
  then: undefined,
  [Symbol.toPrimitive]: () => 'nothing',
};

let commands = 0;

/** Can be called, constructed, extended and read; always gives itself. */
const nothing: object = new Proxy(class {}, {
  get: (target, key) =>
    Object.hasOwn(known, key) ? known[key] : key === 'prototype' ? target.prototype : nothing,
  set: () => true,
  apply: () => nothing,
  construct: (target, args, newTarget) =>
    newTarget === nothing ? nothing : Reflect.construct(target, args, newTarget),
});

/** The names of the real module: who imports one that is missing fails. */
const require = createRequire(import.meta.url);
const types = readFileSync(require.resolve('@types/vscode/index.d.ts'), 'utf8');
const names = Array.from(
  types.matchAll(/^\s*export (?:class|enum|namespace) (\w+)/gm),
  ([, name]) => name,
);

const url = 'stub:vscode';
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (wanted, context, next) =>
    wanted === url
      ? {
          format: 'module',
          source: names.map((name) => `export const ${name} = globalThis.nothing;`).join('\n'),
          shortCircuit: true,
        }
      : next(wanted, context),
});

const [bundle = ''] = process.argv.slice(2);
Object.assign(globalThis, { nothing });
const context = {
  subscriptions: [],
  extensionPath: path.resolve(bundle, '..', '..'),
  extensionUri: nothing,
  workspaceState: nothing,
  globalState: nothing,
};
const started = performance.now();
await require(bundle).activate(context);
const milliseconds = performance.now() - started;
console.log(JSON.stringify({ milliseconds, commands }));
// What the extension wanted to do when idle is not part of the activation.
process.exit();
