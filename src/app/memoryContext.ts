/**
 * Gathers what an agent in a folder is to know, from everywhere memory lies, and composes it for that agent. Reads only. It
 * runs in hooks too: no database of ours is needed, and what cannot be read costs itself only.
 */
import fs from 'node:fs';
import path from 'node:path';
import { contextLimits } from '../agents/contextLimits.ts';
import { memoryFolder } from '../base/home.ts';
import type { ComposedMemory } from '../core/composedMemory.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { factScopes, type MemoryProblem, memoryLimits } from '../core/memory.ts';
import { noPreset } from '../core/presets.ts';
import { compose, type MemoryContents } from '../memory/compose.ts';
import { type DocumentFolders, foldersFor } from '../memory/documentPlaces.ts';
import { type LoadedDocument, type LoadedDocuments, loadDocuments } from '../memory/documents.ts';
import { readSheet } from '../memory/factSheets.ts';
import { approvalsFile, approvedImports } from '../memory/importApprovals.ts';
import { factsFile, indexFile, type MemoryPlaces, notesFolder } from '../memory/memoryPlaces.ts';
import type { MarkedNote } from '../memory/noteFile.ts';
import { noteFilesIn, openNoteIndex } from '../memory/noteIndex.ts';
import { listNotes } from '../memory/notes.ts';
import { notesFromFiles } from '../memory/notesFromFiles.ts';
import { portraitFiles, readPortrait } from '../memory/portrait.ts';
import { presetsFile, readPresets } from '../memory/presetFile.ts';
import {
  type MemoryContextSettings,
  memoryContextFile,
  readMemorySettings,
} from './memorySettings.ts';
import { trustFile, trustOf } from './memoryTrust.ts';

/** Where an agent works. */
export interface ContextPlace {
  readonly home: string;
  readonly userHome: string;
  /** The agent's working directory, and the root it lies in; null for none. */
  readonly folder: string | null;
  readonly root: Root | null;
  readonly places: MemoryPlaces;
}

export interface MemoryContext {
  readonly settings: MemoryContextSettings;
  readonly contents: MemoryContents;
  /** False: nothing of the folder was read, since a person said that it is not trusted. */
  readonly isTrusted: boolean;
  readonly documents: LoadedDocuments;
  readonly problems: readonly MemoryProblem[];
  /** Files and folders that all this depends on, there or not. */
  readonly looked: readonly string[];
}

/** For people's documents that hold in all projects. */
export const userDocuments = (places: MemoryPlaces): string =>
  path.join(places.folder, 'documents');

/**
 * @param isHurried an agent waits: of very many notes that nobody has listed yet only the newest are read
 * @throws only for bugs: what is wrong with a file is a problem in the result.
 */
export function readMemoryContext(place: ContextPlace, isHurried = false): MemoryContext {
  const { home, places } = place;
  const settings = readMemorySettings(home);
  const isTrusted = place.root === null || trustOf(home, place.root) !== false;
  const documents = loadDocuments({
    ...documentFolders(place, isTrusted && settings.hasFolderDocuments),
    userHome: place.userHome,
    names: settings.documentNames,
    isApproved: approvedImports(places),
  });
  const presets = readPresets(places, settings.mode);
  const portrait = readPortrait(places, settings.mode);
  const facts = factScopes.flatMap(
    (scope) => readSheet(places, scope, memoryLimits.factTokens[scope]) ?? [],
  );
  const notes = notesOf(places, settings.mode, isHurried);
  const preset = presets.set.items.find(({ id }) => id === presets.set.active) ?? noPreset;
  return {
    settings,
    isTrusted,
    documents,
    contents: {
      preset,
      presetFile: presetsFile(places, settings.mode),
      portrait: portrait.texts,
      facts,
      notes: notes.notes,
      documents: documents.documents,
    },
    problems: [
      ...(presets.problem ? [presets.problem] : []),
      ...portrait.problems,
      ...facts.flatMap(({ sheet }) => sheet.problems),
      ...notes.problems,
    ],
    looked: [
      ...documents.looked,
      ...portraitFiles(places, settings.mode),
      presetsFile(places, settings.mode),
      memoryContextFile(home),
      trustFile(home),
      approvalsFile(places),
      ...factScopes.flatMap((scope) => factsFile(places, scope) ?? []),
      ...notes.looked,
    ],
  };
}

/** Where documents are looked for. @param hasFolder whether those of the folder count */
export function documentFolders(
  { folder, userHome, places }: ContextPlace,
  hasFolder: boolean,
): DocumentFolders {
  const isThere = hasFolder && folder !== null && fs.existsSync(folder);
  return {
    folders: isThere ? foldersFor(folder, userHome) : [],
    userFolder: userDocuments(places),
  };
}

/**
 * What this agent is given: without the documents that it reads by itself, within what it takes.
 * @param agent undefined: everything, for people to look at
 * @param room characters that are left for it
 */
export function composeFor(
  { contents, settings }: MemoryContext,
  agent: string | undefined,
  room = Number.POSITIVE_INFINITY,
): ComposedMemory {
  const limits = agent === undefined ? undefined : contextLimits(agent);
  const budget = Math.min(settings.budget * 4, limits?.characters ?? room, room);
  return compose(contentsFor(contents, agent), budget, settings.shares);
}

/** What agents are told of by us: a document that they read by themselves only if they would miss its imports. */
export function contentsFor(contents: MemoryContents, agent: string | undefined): MemoryContents {
  if (agent === undefined) return contents;
  const { ownDocuments, spareDocument, fillsImports } = contextLimits(agent);
  const isNamed = (names: readonly (string | undefined)[]) => (document: LoadedDocument) =>
    document.scope !== 'user' && names.includes(path.basename(document.file));
  const hasOwn = contents.documents.some(isNamed(ownDocuments));
  const isRead = isNamed(hasOwn ? ownDocuments : [...ownDocuments, spareDocument]);
  const documents = contents.documents.filter(
    (document) => !isRead(document) || (document.hasImports && !fillsImports),
  );
  return { ...contents, documents };
}

interface ReadNotes {
  readonly notes: readonly MarkedNote[];
  readonly problems: readonly MemoryProblem[];
  readonly looked: readonly string[];
}

/** So many are listed in the time that an agent may wait. */
const manyNotes = 500;

function notesOf(places: MemoryPlaces, mode: string, isHurried: boolean): ReadNotes {
  const folders = (['global', 'project'] as const).flatMap(
    (scope) => notesFolder(places, scope) ?? [],
  );
  const files = folders.flatMap((folder) => noteFilesIn(folder));
  const looked = [...folders, ...files];
  if (files.length === 0) return { notes: [], problems: [], looked };
  if (isHurried && files.length > manyNotes && !fs.existsSync(indexFile(places.folder)))
    return { notes: notesFromFiles(places, mode), problems: [], looked };
  try {
    const index = openNoteIndex(places.folder);
    try {
      index.refresh(places, { everything: true });
      return {
        notes: listNotes(index, places, { mode }),
        problems: index.problems(places),
        looked,
      };
    } finally {
      index.close();
    }
  } catch (error) {
    // A runtime without SQLite, or a database that others hold: the files are the truth anyway.
    const text = `They were read without their index: ${messageOf(error)}`;
    return { notes: notesFromFiles(places, mode), problems: [{ path: 'notes', text }], looked };
  }
}

/** The folder of memory in this home. */
export function memoryPlaces(home: string, project: string | null): MemoryPlaces {
  return { folder: memoryFolder(home), project };
}
