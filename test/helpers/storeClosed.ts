/**
 * Commands that close folders, as a user whom that concerns: `node storeClosed.ts UID COMMAND`. Prints what came of it as
 * JSON. All that is loaded later by need is loaded here first: the user may not be allowed to read it.
 */
import '../../src/app/archiveCheckpoint.ts';
import '../../src/app/shellCapture.ts';
import '../../src/checkpoint/keysThrough.ts';
import '../../src/checkpoint/seal.ts';
import '../../src/git/commitsSince.ts';
import 'simple-git';
import { resultsOf, StoreDriver } from './storeDriver.ts';

const [uid = '', command = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const files = { 'a.txt': 'A0', 'd/x': 'X0', 'd/e/y': 'Y0' };
using d = new StoreDriver({ files, inProcess: true });
const before = d.tree();
await d.turn((s) => s.shell(command));
const [turn] = await d.turns();
const report = await d.rewind(1);
const changed = turn?.files.map((file) => `${file.change} ${file.path}`);
const unprotected = turn?.unprotected.map(({ path }) => path);
const isBack = JSON.stringify(d.tree()) === JSON.stringify(before);
console.log(JSON.stringify({ changed, unprotected, results: resultsOf(report), isBack }));
