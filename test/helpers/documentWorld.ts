/** A home, a person's documents and a repository in a temporary folder, for tests of documents for agents. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { foldersFor } from '../../src/memory/documentPlaces.ts';
import { type LoadedDocuments, loadDocuments } from '../../src/memory/documents.ts';
import { approvedImports } from '../../src/memory/importApprovals.ts';

export class DocumentWorld implements Disposable {
  readonly base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-documents-')));
  readonly userHome = path.join(this.base, 'user');
  readonly userFolder = path.join(this.userHome, 'store', 'documents');
  readonly root = path.join(this.base, 'project');
  readonly places = { folder: path.join(this.userHome, 'store'), project: 'p' };

  constructor(files: Readonly<Record<string, string>> = {}, isRepository = true) {
    fs.mkdirSync(this.userFolder, { recursive: true });
    fs.mkdirSync(this.root);
    if (isRepository) fs.mkdirSync(path.join(this.root, '.git'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.base, { recursive: true, force: true });
  }

  /** Below the project, or with `user/`, `store/documents/` below the base. */
  file(name: string): string {
    return path.join(
      name.startsWith('user/') || name.startsWith('outside') ? this.base : this.root,
      name,
    );
  }

  write(name: string, text: string): void {
    fs.mkdirSync(path.dirname(this.file(name)), { recursive: true });
    fs.writeFileSync(this.file(name), text);
  }

  link(name: string, target: string): void {
    fs.mkdirSync(path.dirname(this.file(name)), { recursive: true });
    fs.symlinkSync(target, this.file(name));
  }

  pipe(name: string): void {
    execFileSync('mkfifo', [this.file(name)]);
  }

  load(folder = '', names?: readonly string[]): LoadedDocuments {
    return loadDocuments({
      folders: foldersFor(path.join(this.root, folder), this.userHome),
      userFolder: this.userFolder,
      userHome: this.userHome,
      ...(names && { names }),
      isApproved: approvedImports(this.places),
    });
  }

  /** `scope label` of each. */
  list(folder = ''): readonly string[] {
    return this.load(folder).documents.map(({ scope, label }) => `${scope} ${label}`);
  }

  /** Of the project's AGENTS.md. */
  text(): string | undefined {
    return this.load().documents.find(({ label }) => label === 'AGENTS.md')?.text;
  }
}
