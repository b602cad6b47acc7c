/** Tells hooks and the command line what is set here about giving memory to agents, and which folders are not trusted. */
import os from 'node:os';
import * as vscode from 'vscode';
import type { MemoryContextSettings } from '../app/memorySettings.ts';
import { settingIds } from './names.ts';
import { presentFolders } from './timelineHub.ts';

const settings: Readonly<Record<string, keyof MemoryContextSettings>> = {
  [settingIds.memoryGiven]: 'isGiven',
  [settingIds.memoryBudget]: 'budget',
  [settingIds.memoryDocuments]: 'hasFolderDocuments',
  [settingIds.memoryPromptNotes]: 'keepsPromptNotes',
  [settingIds.memoryDocumentNames]: 'documentNames',
  [settingIds.memoryMode]: 'mode',
};

/** Once now and after each change. Until a person has chosen here, what was chosen on the command line stands. */
export async function shareMemory(home: string): Promise<vscode.Disposable> {
  const { memorySettingsFrom, readMemorySettings, writeMemorySettings } = await import(
    '../app/memorySettings.ts'
  );
  const { noteRestricted } = await import('../app/memoryTrust.ts');
  const { rootOf } = await import('../base/root.ts');
  const share = (isChangedNow: (setting: string) => boolean): void => {
    const all = vscode.workspace.getConfiguration();
    const chosen = Object.entries(settings).filter(
      ([id]) => isChangedNow(id) || all.inspect(id)?.globalValue !== undefined,
    );
    if (chosen.length === 0) return;
    const change = Object.fromEntries(chosen.map(([id, name]) => [name, all.get(id)]));
    writeMemorySettings(home, memorySettingsFrom({ ...readMemorySettings(home), ...change }));
  };
  const shareTrust = (): void => {
    for (const { uri } of presentFolders())
      noteRestricted(home, rootOf(uri.fsPath, os.homedir()), !vscode.workspace.isTrusted);
  };
  share(() => false);
  shareTrust();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('memcode.memory'))
        share((setting) => event.affectsConfiguration(setting));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(shareTrust),
    vscode.workspace.onDidChangeWorkspaceFolders(shareTrust),
  );
}
