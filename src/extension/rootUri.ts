/** Roots as the window spells them: a folder may be open through a link or a mapped drive, and its files with it. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Root } from '../core/ids.ts';
import { pathAbove } from './pathAbove.ts';
import { localFolders } from './timelineHub.ts';

/** Below it files are the ones that the Explorer opens; a root that no folder of the window lies in is named by its path. */
export function rootUri(root: Root): vscode.Uri {
  for (const { uri } of localFolders()) {
    const above = pathAbove(uri.path, path.relative(root, realFolder(uri.fsPath)), path.sep);
    if (above !== undefined) return uri.with({ path: above });
  }
  return vscode.Uri.file(root);
}

/** @param file relative to the root, `/`-separated */
export function workUri(root: Root, file: string): vscode.Uri {
  return vscode.Uri.joinPath(rootUri(root), file);
}

function realFolder(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // Gone, or not ours to see: then the window's name for it is all there is.
    return folder;
  }
}
