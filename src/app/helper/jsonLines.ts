/** A stream cut into lines of JSON. */
import type { Socket } from 'node:net';

/** Characters; no honest message is longer. */
const longest = 512 * 1024 * 1024;

/**
 * Calls `onValue` with each line's value. A line that is no JSON, or too long, ends the connection.
 * @param onBroken what ended it; called at most once
 */
export function readJsonLines(
  socket: Socket,
  onValue: (value: unknown) => void,
  onBroken: (why: string) => void,
): void {
  let parts: string[] = [];
  let size = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      parts.push(text.slice(from, end));
      from = end + 1;
      const line = parts.join('');
      parts = [];
      size = 0;
      if (socket.destroyed) return;
      const value = fromJson(line);
      if (value === undefined) {
        onBroken('a line that is no JSON');
        socket.destroy();
        return;
      }
      onValue(value);
    }
    parts.push(text.slice(from));
    size += text.length - from;
    if (size <= longest) return;
    onBroken('a line that is too long');
    socket.destroy();
  });
}

export function sendJson(socket: Socket, value: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

/** An object, or undefined. */
function fromJson(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Reported by the caller.
    return undefined;
  }
}
