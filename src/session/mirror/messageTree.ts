/**
 * The tree of `messages/` as its raw bytes. A turn's files come last in it, since names begin with rising numbers: adding
 * them is appending, and what a pack has to hold of it is what was appended.
 */
import { appendDelta } from '../../git/appendDelta.ts';
import { decodeTree, fileMode, type ObjectId } from '../../git/gitObject.ts';
import type { PackWriter } from '../../git/packWriter.ts';

export interface NewFile {
  /** ASCII. */
  readonly name: string;
  readonly id: ObjectId;
}

/** Trees that are stored as a difference from the one before, at most. */
const longestChain = 50;
/** Below, a difference saves nothing. */
const leastForDelta = 512;

export class MessageTree {
  readonly bytes: Buffer;
  readonly last: string;
  readonly id: ObjectId | undefined;
  readonly #depth: number;

  private constructor(bytes: Buffer, last: string, id: ObjectId | undefined, depth: number) {
    this.bytes = bytes;
    this.last = last;
    this.id = id;
    this.#depth = depth;
  }

  static readonly empty = new MessageTree(Buffer.alloc(0), '', undefined, 0);

  /** @param id of the tree with these bytes */
  static from(bytes: Buffer, id: ObjectId): MessageTree {
    return new MessageTree(bytes, lastName(bytes), id, longestChain);
  }

  /** The tree with the files in it; those of the same name are replaced. */
  with(files: readonly NewFile[], pack: PackWriter): MessageTree {
    const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const first = sorted[0];
    const last = sorted.at(-1);
    if (first === undefined || last === undefined) return this;
    if (first.name <= this.last) return this.#merged(sorted, pack);
    const added = Buffer.concat(sorted.map(entryBytes));
    const bytes = Buffer.concat([this.bytes, added]);
    const isChained =
      this.id !== undefined &&
      this.#depth < longestChain &&
      this.bytes.length > leastForDelta &&
      pack.has(this.id);
    const id = isChained
      ? pack.addDelta(
          'tree',
          bytes,
          this.id,
          appendDelta(this.bytes.length, this.bytes.length, added),
        )
      : pack.add('tree', bytes);
    return new MessageTree(bytes, last.name, id, isChained ? this.#depth + 1 : 0);
  }

  /** A message that came late, or one that became more complete. */
  #merged(files: readonly NewFile[], pack: PackWriter): MessageTree {
    const all = new Map(decodeTree(this.bytes).map(({ name, id }) => [name, id]));
    for (const { name, id } of files) all.set(name, id);
    const names = [...all.keys()].sort();
    const bytes = Buffer.concat(names.map((name) => entryBytes({ name, id: all.get(name) ?? '' })));
    return new MessageTree(bytes, names.at(-1) ?? '', pack.add('tree', bytes), 0);
  }
}

const mode = `${fileMode.toString(8)} `;

function entryBytes({ name, id }: NewFile): Buffer {
  const bytes = Buffer.allocUnsafe(mode.length + name.length + 21);
  bytes.write(mode, 0, 'latin1');
  bytes.write(name, mode.length, 'latin1');
  bytes[mode.length + name.length] = 0;
  bytes.write(id, bytes.length - 20, 'hex');
  return bytes;
}

/** Looked for from the end: nothing in an id tells where it begins, but every name is followed by one zero and 20 bytes. */
function lastName(bytes: Buffer): string {
  return decodeTree(bytes).at(-1)?.name ?? '';
}
