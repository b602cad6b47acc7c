/** The one implementation of `MemoryContextUse`. */
import path from 'node:path';
import { rootOf } from '../base/root.ts';
import { UserError } from '../core/errors.ts';
import type { MemoryMode } from '../core/presets.ts';
import { documentLabel, documentPlaces } from '../memory/documentPlaces.ts';
import {
  type DocumentTarget,
  documentTarget,
  type TargetScope,
} from '../memory/documentTargets.ts';
import { approveImport, withdrawImport } from '../memory/importApprovals.ts';
import { refuseSecrets } from '../memory/noteFile.ts';
import { portraitFile, portraitFiles } from '../memory/portrait.ts';
import { editPresets } from '../memory/presetEdits.ts';
import { presetsFile, presetsText, readPresets, setPresetsAside } from '../memory/presetFile.ts';
import { noteLine, withNote } from '../memory/quickAdd.ts';
import { rawDocument, writeDocument } from '../memory/writeDocument.ts';
import { contextReader } from './contextReader.ts';
import {
  type ContextPlace,
  composeFor,
  contentsFor,
  documentFolders,
  type MemoryContext,
} from './memoryContext.ts';
import type {
  MemoryContextUse,
  NamedDocument,
  ShownDocuments,
  ShownPresets,
} from './memoryContextUse.ts';
import { changeFile, type MemoryKeeper } from './memoryKeeper.ts';
import { memorySettingsFrom, readMemorySettings, writeMemorySettings } from './memorySettings.ts';
import { noteTrust, trustOf } from './memoryTrust.ts';

export function memoryContextActions(keeper: MemoryKeeper, userHome: string): MemoryContextUse {
  const { home } = keeper.context;
  // Times of files are the system's, whatever clock the app is given.
  const read = contextReader(Date.now);
  const rootFor = (folder: string) => rootOf(folder, userHome);
  const placeOf = (folder: string | null): ContextPlace => {
    const root = folder === null ? null : rootFor(folder);
    return { home, userHome, folder, root, places: keeper.places(root) };
  };
  const presetsOf = (mode: MemoryMode): ShownPresets => ({
    mode,
    ...readPresets(keeper.places(null), mode),
  });
  const modeInUse = () => readMemorySettings(home).mode;
  const write = (place: ContextPlace, file: string, seen: string | undefined, text: string) => {
    const known = writableDocuments(place);
    if (known.find((each) => each.file === path.resolve(file))?.inside !== keeper.folder)
      writeDocument(file, known, seen, text);
    else {
      if (rawDocument(file) !== seen)
        throw new UserError('conflicts', `${file} was changed meanwhile. Nothing was written.`, {
          path: file,
        });
      changeFile(keeper, { file, after: Buffer.from(text), origin: { actor: 'person' } });
    }
  };

  return {
    show(folder, agent) {
      const context = read(placeOf(folder));
      const { contents, settings, problems } = context;
      const told = new Set(contentsFor(contents, agent).documents);
      return {
        agent: agent ?? null,
        composed: composeFor(context, agent),
        ownDocuments: contents.documents.filter((document) => !told.has(document)),
        documents: shownDocuments(context),
        problems,
        isGiven: settings.isGiven,
      };
    },
    documents: (folder) => shownDocuments(read(placeOf(folder))),
    addNote: (folder, scope, note) =>
      keeper.alone(() => {
        const line = noteLine(note);
        if (line === '') throw new UserError('usage', 'The note says nothing.');
        refuseSecrets(line);
        const place = placeOf(folder);
        const { file, label } = documentOf(place, scope);
        const seen = rawDocument(file);
        write(place, file, seen, withNote(seen, note));
        return { file, label, line, isNew: seen === undefined };
      }),
    document: (folder, scope) => documentOf(placeOf(folder), scope),
    raw(folder, file) {
      const known = writableDocuments(placeOf(folder));
      if (!known.some((each) => each.file === path.resolve(file)))
        throw new UserError('outsideRoot', `${file} is no document of this folder.`, {
          path: file,
        });
      return rawDocument(file);
    },
    save: (folder, file, seen, text) =>
      keeper.alone(() => write(placeOf(folder), path.resolve(file), seen, text)),
    approveImport: (folder, file) =>
      keeper.alone(() => approveImport(placeOf(folder).places, file)),
    withdrawImport: (folder, file) =>
      keeper.alone(() => withdrawImport(placeOf(folder).places, file)),
    presets: (mode = modeInUse()) => presetsOf(mode),
    editPresets: (edit, mode = modeInUse()) =>
      keeper.alone(() => {
        const places = keeper.places(null);
        const set = editPresets(readPresets(places, mode).set, edit, mode);
        setPresetsAside(places, mode);
        changeFile(keeper, {
          file: presetsFile(places, mode),
          after: Buffer.from(presetsText(set)),
          origin: { actor: 'person' },
        });
        return presetsOf(mode);
      }),
    portraitFile: () => portraitFile(keeper.places(null), modeInUse()),
    trust: (folder) => trustOf(home, rootFor(folder)),
    setTrust: (folder, isTrusted) => noteTrust(home, rootFor(folder), isTrusted),
    settings: () => readMemorySettings(home),
    setSettings(change) {
      const settings = memorySettingsFrom({ ...readMemorySettings(home), ...change });
      writeMemorySettings(home, settings);
      return settings;
    },
  };

  function documentOf(place: ContextPlace, scope: TargetScope): NamedDocument {
    refuseUntrusted(place, scope);
    const folders = documentFolders(place, true);
    const { file } = documentTarget(scope, folders, readMemorySettings(home).documentNames);
    const [top] = folders.folders;
    return { file, label: documentLabel(file, { top, userFolder: folders.userFolder, userHome }) };
  }

  /** Documents that are loaded or could be made here, and portraits; those in the memory folder are changed as memory. */
  function writableDocuments(place: ContextPlace): readonly DocumentTarget[] {
    const { folders, userFolder } = documentFolders(place, true);
    const { documentNames, mode } = readMemorySettings(home);
    const documents = documentPlaces({ folders, userFolder }, documentNames);
    return [
      ...documents.map(({ scope, file }) => ({
        file,
        inside: scope === 'user' ? keeper.folder : (folders[0] ?? path.dirname(file)),
      })),
      ...portraitFiles(place.places, mode).map((file) => ({ file, inside: keeper.folder })),
    ];
  }
}

function shownDocuments({ documents, isTrusted }: MemoryContext): ShownDocuments {
  const { looked: _looked, ...rest } = documents;
  return { ...rest, isTrusted };
}

/** @throws UserError `refused` */
function refuseUntrusted({ home, root }: ContextPlace, scope: TargetScope): void {
  if (scope === 'user' || root === null || trustOf(home, root) !== false) return;
  throw new UserError('refused', 'This folder is not trusted; nothing of it is read or written.', {
    root,
  });
}
