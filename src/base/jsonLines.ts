/** Reads a file of lines piece by piece: never more of it in memory than a piece and the longest line. */
import fs from 'node:fs';

const pieceSize = 1 << 20;

export interface Line {
  /** Without its end. Valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly position: number;
}

/**
 * Lines from `start` on that are whole: a last line without an end is being written, and left for the next time.
 * @param end byte to stop at; default the end of the file as it is met. @throws the system error.
 */
export function* readLines(
  file: string,
  start: number,
  end = Number.POSITIVE_INFINITY,
): Generator<Line> {
  const fd = fs.openSync(file, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    let at = start;
    while (at < end) {
      const piece = Buffer.allocUnsafe(Math.min(pieceSize, end - at));
      const read = fs.readSync(fd, piece, 0, piece.length, at);
      if (read === 0) return;
      const first = at - rest.length;
      const bytes =
        rest.length === 0
          ? piece.subarray(0, read)
          : Buffer.concat([rest, piece.subarray(0, read)]);
      at += read;
      let from = 0;
      // What was searched before holds no end of a line.
      for (let to = bytes.indexOf(10, rest.length); to >= 0; to = bytes.indexOf(10, from)) {
        yield { bytes: bytes.subarray(from, to), position: first + from };
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    fs.closeSync(fd);
  }
}
