/**
 * `memcode-timeline hook [agent] [event]`: what agents call. Reads one JSON payload from stdin, records it, prints
 * nothing, exits 0 whatever happens. Its own small bundle: everything imported here is paid for at each tool call
 * (ARCHITECTURE, "Hook budget").
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { logFile } from '../base/home.ts';
import { appendToLog } from '../base/hookLog.ts';
import type { Root } from '../core/ids.ts';
import { answerHook } from './answerHook.ts';

/** Bytes. A write tool's payload holds the whole new file. */
const largestPayload = 256 * 1024 * 1024;

/** @param args after `hook`: agent and event as the configuration names them; hints only. */
export async function runHook(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const home =
    environment['MEMCODE_TIMELINE_HOME'] || path.join(os.homedir(), '.memcode', 'timeline');
  const log = (text: string) => appendToLog(logFile(home), Date.now(), text);
  try {
    const text = readInput();
    if (text === undefined) return;
    const [agent, event] = args;
    const snapshots = async (root: Root) => {
      const { hookSnapshots } = await import('./hookSnapshots.ts');
      return hookSnapshots(root, { home, environment, log });
    };
    const context = {
      home,
      userHome: os.homedir(),
      cwd: process.cwd(),
      now: Date.now,
      log,
      program: () => path.dirname(fs.realpathSync(process.argv[1] ?? '')),
    };
    const call = {
      payload: text,
      environment,
      ...(agent !== undefined && { agent }),
      ...(event !== undefined && { event }),
    };
    print(await answerHook(call, { ...context, snapshots }));
  } catch (error) {
    log(
      `The hook failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

/** Not through `process.stdout`, which would load the streams. */
function print(text: string): void {
  if (text !== '') fs.writeSync(1, text);
}

/** Undefined at a terminal, where no payload will come. @throws when the payload is too large. */
function readInput(): string | undefined {
  // Asking `process.stdin` would load the streams and the network: 4 ms.
  if (fs.fstatSync(0).isCharacterDevice()) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = readSome(chunk);
    if (read === 0) break;
    size += read;
    if (size > largestPayload) throw new Error(`a payload of more than ${largestPayload} bytes`);
    chunks.push(read === chunk.length ? chunk : chunk.subarray(0, read));
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(0, chunk);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EOF') return 0; // Windows, a closed pipe
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
