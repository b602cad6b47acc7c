/** Entry of the bundle that `memcode-timeline mcp` loads: the server over standard input and output, until that ends. */

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { agentOfEnvironment } from '../agents/callingAgent.ts';
import { openTimelineApp } from '../app/openTimelineApp.ts';
import { realFolder } from '../base/root.ts';
import type { Root } from '../core/ids.ts';
import { memoryServer } from './memoryServer.ts';

export interface McpCall {
  readonly home: string;
  readonly userHome: string;
  /** Where the server was started, or what `--root` says; absolute. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly log: (text: string) => void;
}

/** Resolves when the client has closed its end. @throws UserError when the stores cannot be opened */
export async function serveMcp(call: McpCall): Promise<void> {
  const { home, userHome, folder, environment, version, stdin, stdout, log } = call;
  const app = openTimelineApp({
    home,
    userHome,
    environment,
    now: Date.now,
    log: (level, text) => log(`${level}: ${text}`),
    // A server of memory takes no snapshots and commits nobody's work.
    mayCommit: () => false,
  });
  try {
    const server = memoryServer({
      app,
      version,
      root: rootFor(folder, userHome, (at) => app.rootOf(at)),
      caller: agentOfEnvironment(environment),
      log,
    });
    const ended = new Promise<void>((resolve) => {
      stdin.once('end', resolve);
      stdin.once('close', resolve);
    });
    await server.connect(new StdioServerTransport(stdin, stdout));
    await ended;
    await server.close();
  } finally {
    app.dispose();
  }
}

/** The person's home and the top of a disk are no project: clients start servers there when no folder is open. */
function rootFor(folder: string, userHome: string, rootOf: (folder: string) => Root): Root | null {
  const real = realFolder(folder);
  if (real === realFolder(userHome)) return null;
  const root = rootOf(real);
  return /^(?:\/|[A-Za-z]:\\)$/.test(root) ? null : root;
}
