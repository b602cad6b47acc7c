/** `snapshotWriter.ts ROOT STORE NAME COUNT`: changes files below ROOT/NAME and snapshots after each; prints the ids. */
import fs from 'node:fs';
import path from 'node:path';
import { openSnapshotStore } from '../../src/snapshot/snapshotStore.ts';

const [root = '', folder = '', name = '', count = '0'] = process.argv.slice(2);
const store = openSnapshotStore({
  root,
  folder,
  now: Date.now,
  log: console.error,
  durable: false,
});
for (let i = 0; i < Number(count); i++) {
  fs.writeFileSync(path.join(root, name, `f${i % 5}`), `${name} ${i}`);
  const meta = { turn: i, triggerTool: 'Bash', triggerArgs: name, preRollback: false };
  console.log((await store.create(meta)).snapshot.id);
}
await store.close();
