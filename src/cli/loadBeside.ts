/** Loads a program of ours that lies beside the one that runs: `<name>.cjs`, or where the sources run, `<name>Main.ts`. */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param folder of the program that runs @throws whatever loading throws */
export async function loadBeside<Program>(folder: string, name: string): Promise<Program> {
  const bundle = path.join(folder, `${name}.cjs`);
  if (!fs.existsSync(bundle)) return importFile(path.join(folder, `${name}Main.ts`));
  // `import` would start the loader of the other kind of modules, which takes longer than the bundle itself.
  const require = process.getBuiltinModule?.('node:module').createRequire(bundle);
  return require ? (require(bundle) as Program) : importFile(bundle);
}

function importFile<Program>(file: string): Promise<Program> {
  return import(pathToFileURL(file).href);
}
