/** Serves texts of memory to VS Code's editors, and takes what is saved there. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isUserError } from '../core/errors.ts';
import type { MemoryTexts } from './memoryTexts.ts';
import { type MemoryText, memoryUriParts, parseMemoryQuery } from './memoryUri.ts';
import { memoryScheme, waitingScheme } from './names.ts';
import { SingleFiles } from './singleFiles.ts';

/** @param label what the tab says */
export function memoryUri(text: MemoryText, label: string): vscode.Uri {
  const isWaiting = text.kind === 'waiting' || text.kind === 'replaced';
  const scheme = isWaiting ? waitingScheme : memoryScheme;
  return vscode.Uri.from({ scheme, ...memoryUriParts(text, label) });
}

/** Undefined for anything that is no text of memory. */
export function memoryTextOf(value: unknown): MemoryText | undefined {
  if (!(value instanceof vscode.Uri)) return undefined;
  const isOurs = value.scheme === memoryScheme || value.scheme === waitingScheme;
  return isOurs ? parseMemoryQuery(value.query) : undefined;
}

interface Served {
  readonly text: string;
  readonly digest: string;
  /** Rises when the text changes; VS Code reads a file anew whose time has moved, and asks before it overwrites one. */
  readonly mtime: number;
}

export class MemoryFiles
  extends SingleFiles
  implements vscode.FileSystemProvider, vscode.Disposable
{
  readonly #texts: MemoryTexts;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #served = new Map<string, Served>();
  /** Open in some editor. */
  readonly #watched = new Map<string, vscode.Uri>();
  readonly onDidChangeFile = this.#changed.event;

  constructor(texts: MemoryTexts) {
    super();
    this.#texts = texts;
  }

  /** Looks at open texts again. */
  async refresh(): Promise<void> {
    for (const [key, uri] of this.#watched) {
      const before = this.#served.get(key);
      if (before === undefined) continue;
      const type = await this.#changeOf(uri, before);
      if (type !== undefined) this.#changed.fire([{ type, uri }]);
    }
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const key = uri.toString();
    this.#watched.set(key, uri);
    return new vscode.Disposable(() => {
      this.#watched.delete(key);
      this.#served.delete(key);
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const served = await this.#serve(uri);
    const isEditable = await this.#texts.isEditable(textOf(uri));
    return {
      type: vscode.FileType.File,
      ...(!isEditable && { permissions: vscode.FilePermission.Readonly }),
      ctime: 0,
      mtime: served.mtime,
      size: Buffer.byteLength(served.text),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#serve(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const seen = this.#served.get(uri.toString()) ?? (await this.#serve(uri));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    await asFileError(uri, () => this.#texts.write(textOf(uri), text, seen.text));
    await this.#serve(uri);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #changeOf(uri: vscode.Uri, before: Served): Promise<vscode.FileChangeType | undefined> {
    try {
      const now = await this.#serve(uri);
      return now === before ? undefined : vscode.FileChangeType.Changed;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
      return vscode.FileChangeType.Deleted;
    }
  }

  async #serve(uri: vscode.Uri): Promise<Served> {
    const key = uri.toString();
    const text = await asFileError(uri, () => this.#texts.read(textOf(uri)));
    const digest = createHash('sha256').update(text).digest('hex');
    const known = this.#served.get(key);
    if (known?.digest === digest) return known;
    const served = { text, digest, mtime: Math.max(Date.now(), (known?.mtime ?? 0) + 1) };
    this.#served.set(key, served);
    return served;
  }
}

function textOf(uri: vscode.Uri): MemoryText {
  const text = parseMemoryQuery(uri.query);
  if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return text;
}

/** What a person may be told is what the editor says. */
async function asFileError<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUserError(error, 'notFound')) throw vscode.FileSystemError.FileNotFound(uri);
    if (isUserError(error)) throw new vscode.FileSystemError(error.message);
    throw error;
  }
}
