/**
 * What a hook sends that is no program of ours but a line of shell: a first line `hook <token> <agent> <event> <cwd> <sign> <time>`,
 * words parted by tabs, then the agent's payload until its sender closes its side, or the JSON is whole.
 */
import type { Socket } from 'node:net';

export interface TextRequest {
  /** As the agent's configuration names them; '' when it does not. */
  readonly agent: string;
  readonly event: string;
  readonly cwd: string;
  /** Name of a variable in the agent's environment that tells who it is; '' for none. */
  readonly sign: string;
  /** Milliseconds since 1970, cut down to a second: when it was sent; undefined from who does not say. */
  readonly at: number | undefined;
  /** The agent's JSON. */
  readonly payload: string;
}

/** Bytes; a write tool's payload holds the whole new file. */
const largest = 256 * 1024 * 1024;
const longestHead = 16 * 1024;

/** @param onRequest called once; without a request when it is none of a known sender */
export function readTextRequest(
  socket: Socket,
  isToken: (text: string) => boolean,
  onRequest: (request: TextRequest | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const finish = (request: TextRequest | undefined) => {
    if (isDone) return;
    isDone = true;
    onRequest(request);
  };
  const parse = (): TextRequest | undefined => {
    const text = Buffer.concat(chunks).toString('utf8');
    const end = text.indexOf('\n');
    const [word, token = '', agent = '', event = '', cwd = '', sign = '', time = ''] = text
      .slice(0, end)
      .split('\t');
    if (end < 0 || word !== 'hook' || !isToken(token)) return undefined;
    const at = /^\d+$/.test(time) ? Number(time) * 1000 : undefined;
    return { agent, event, cwd, sign, at, payload: text.slice(end + 1) };
  };
  let isChecked = false;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (!isChecked && (chunk.includes(10) || size > longestHead)) {
      isChecked = true;
      if (parse() === undefined) finish(undefined);
    }
    if (size > largest) finish(undefined);
    // `}` and perhaps a newline: not every sender can close only its side.
    else if (/\}\s*$/.test(chunk.toString('latin1', Math.max(0, chunk.length - 8)))) {
      const request = parse();
      if (request === undefined || isJson(request.payload)) finish(request);
    }
  });
  socket.once('end', () => finish(parse()));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // More is to come.
    return false;
  }
}
