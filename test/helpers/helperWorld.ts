/** A folder, its home store, and helpers of it: real processes and ones in this process. Ends all it started. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type HelperRecord, readRecord } from '../../src/app/helper/helperRecord.ts';
import { HelperServer, type HelperServerOptions } from '../../src/app/helper/helperServer.ts';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../../src/app/snapshots.ts';
import type { Root } from '../../src/core/ids.ts';
import { SnapshotWorld } from './snapshotWorld.ts';

export const version = '0.1.0';
const program = path.resolve(import.meta.dirname, '../../src/cli/helperMain.ts');

export class HelperWorld extends SnapshotWorld {
  readonly home = path.join(this.folder, 'home');
  readonly place = { home: this.home, root: this.root as Root };
  readonly #clients: Snapshots[] = [];
  readonly #servers: HelperServer[] = [];

  /** A client that starts a helper process when there is none. */
  client(options: Partial<SnapshotsOptions> = {}): Snapshots {
    const snapshots = openSnapshots({
      ...this.place,
      now: Date.now,
      log: (_, text) => this.log.push(text),
      environment: process.env,
      userHome: path.join(this.folder, 'user'),
      helper: {
        version,
        program: { runtime: process.execPath, isElectron: false, bundle: program },
        // The sources are not bundled, and the machine may be busy.
        startWithin: 20_000,
      },
      ...options,
    });
    this.#clients.push(snapshots);
    return snapshots;
  }

  /** A helper in this process, with operations of the test's own. */
  async serve(options: Partial<HelperServerOptions> = {}): Promise<HelperServer | undefined> {
    const server = await HelperServer.start({
      ...this.place,
      version,
      temporaryFolder: this.folder,
      platform: process.platform,
      idleAfter: 600_000,
      operations: { echo: async (args) => args },
      log: (_, text) => this.log.push(text),
      ...options,
    });
    if (server) this.#servers.push(server);
    return server;
  }

  get record(): HelperRecord | undefined {
    return readRecord(this.home, this.place.root);
  }

  /** Sends lines to a helper. @returns all it says until it ends the connection */
  async say(address: string, ...lines: readonly string[]): Promise<string> {
    const socket = net.connect(address);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', () => undefined);
    for (const line of lines) socket.write(line);
    await once(socket, 'close');
    return answer;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    for (const server of this.#servers) await server.leave('the test is over');
    const { record } = this;
    if (record && record.pid !== process.pid) await kill(record.pid);
    await super[Symbol.asyncDispose]();
  }
}

/** Ends a process at once, and waits until it is gone. */
export async function kill(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
  await until(() => !isAlive(pid));
}

export function isAlive(pid: number): boolean {
  // To signal 0 is to signal oneself.
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    // No such process.
    return false;
  }
  // A child of this process that nobody has waited for yet.
  const stat = `/proc/${pid}/stat`;
  return !fs.existsSync(stat) || !/\) [ZX] /.test(fs.readFileSync(stat, 'utf8'));
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(5);
}
