/** A read-only file system (`memcode:`) that serves what is stored of files, byte for byte, to VS Code's editors. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SideContent } from '../app/timelineApp.ts';
import { isUserError } from '../core/errors.ts';
import { turnScheme } from './names.ts';
import { sideBytes } from './sideBytes.ts';
import { SingleFiles } from './singleFiles.ts';
import { type AnyStoredFile, parseStoredUri, storedUriParts } from './turnUri.ts';

/** @param folder a folder on disk to look as if the file was there. */
export function storedUri(file: AnyStoredFile, folder?: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: turnScheme, ...storedUriParts(file, folder?.path) });
}

interface Version {
  readonly digest: string;
  /** Rises when the content changes; VS Code reloads a file whose time has moved. */
  readonly mtime: number;
}

export class TurnFileSystem
  extends SingleFiles
  implements vscode.FileSystemProvider, vscode.Disposable
{
  readonly #content: (file: AnyStoredFile) => Promise<SideContent>;
  readonly #now: () => number;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** What was last served, by URI. */
  readonly #versions = new Map<string, Version>();
  /** Open in some editor. */
  readonly #watched = new Map<string, vscode.Uri>();
  readonly onDidChangeFile = this.#changed.event;

  constructor(content: (file: AnyStoredFile) => Promise<SideContent>, now: () => number) {
    super();
    this.#content = content;
    this.#now = now;
  }

  /** Looks at open files again: the last state of a running turn changes while one reads it. */
  async refresh(): Promise<void> {
    for (const [key, uri] of this.#watched) {
      const before = this.#versions.get(key);
      const { version } = await this.#serve(uri);
      if (before === undefined || before === version) continue;
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const key = uri.toString();
    this.#watched.set(key, uri);
    return new vscode.Disposable(() => {
      this.#watched.delete(key);
      this.#versions.delete(key);
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, version } = await this.#serve(uri);
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      ctime: 0,
      mtime: version.mtime,
      size: bytes.byteLength,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#serve(uri)).bytes;
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #serve(uri: vscode.Uri): Promise<{ bytes: Uint8Array; version: Version }> {
    const key = uri.toString();
    const bytes = await this.#read(uri);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const known = this.#versions.get(key);
    if (known?.digest === digest) return { bytes, version: known };
    const version = { digest, mtime: this.#now() };
    this.#versions.set(key, version);
    return { bytes, version };
  }

  async #read(uri: vscode.Uri): Promise<Uint8Array> {
    const file = parseStoredUri(uri);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return sideBytes(await this.#contentOrReason(file), vscode.l10n);
  }

  async #contentOrReason(file: AnyStoredFile): Promise<SideContent> {
    try {
      return await this.#content(file);
    } catch (error) {
      if (isUserError(error)) return { kind: 'unavailable', reason: error.message };
      throw error;
    }
  }
}
