/** `saveAndSeal.ts FOLDER FILE`: a turn that edits one file; prints the most megabytes this process had resident. */
import fs from 'node:fs';
import path from 'node:path';
import { capture } from '../../../src/checkpoint/capture.ts';
import { checkpointPlace } from '../../../src/checkpoint/places.ts';
import { endCheckpoint } from '../../../src/checkpoint/seal.ts';
import { asSessionId, type Root } from '../../../src/core/ids.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const root = folder as Root;
const session = asSessionId('bench');
const head = { seq: 1, label: 'bench', at: '2026-01-01T00:00:00Z', agent: 'bench', turn: 1 };
const target = { root, session, head, lock: path.join(folder, 'lock') };

const result = capture(target, name, root);
if (!result.saved) throw new Error(result.reason);
fs.appendFileSync(path.join(root, name), 'edited\n');
endCheckpoint(target, path.join(folder, 'post-images'), true);
fs.rmSync(checkpointPlace(root, session, head.seq), { recursive: true });
console.log(peak());

/** On Linux `maxRSS` counts what the parent had resident when it forked; the kernel's own mark begins with the program. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1000;
  const mark = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'));
  return Number(mark?.[1]) / 1000;
}
