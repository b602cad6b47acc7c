/** What the CLI needs from the process it runs in. `main.ts` fills it from the real one, tests from memory. */
import type { Readable } from 'node:stream';
import type { TimelineAppOptions } from '../app/openTimelineApp.ts';
import type { TimelineApp } from '../app/timelineApp.ts';

export interface OutputStream {
  write(chunk: string | Uint8Array): unknown;
}

export interface CliHost {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: Readable;
  /** Columns of the terminal that stdout is; 0 when it is none. */
  readonly columns: number;
  /** Stdout takes escape sequences and the person wants colours. */
  readonly colour: boolean;
  /** A person sits at stdin and sees stderr, so a question can be asked. */
  readonly interactive: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** Our home store; absolute. */
  readonly home: string;
  /** The user's home folder. */
  readonly userHome: string;
  /** For git and for variables that move agents' folders; the CLI itself reads nothing from it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** What agents' hooks call. */
  readonly launcher: { readonly file: string; readonly write: () => void };
  readonly version: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly openApp: (options: TimelineAppOptions) => Promise<TimelineApp>;
  /** Runs the hook entry with these arguments; it never fails and prints what the agent is to read. */
  readonly runHook: (args: readonly string[]) => Promise<void>;
  /** Serves memory of this folder on stdin and stdout until the client closes them. */
  readonly runMcp: (folder: string, log: (text: string) => void) => Promise<void>;
}
