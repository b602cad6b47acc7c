/**
 * Prompts that are notes, where a person switched that on: kept in their own document of the folder, never in the shared one.
 * In a hook, while the prompt is on its way: what is written then is the person's, and no turn's.
 */
import path from 'node:path';
import { isUserError, messageOf } from '../core/errors.ts';
import { noteInPrompt } from '../core/promptNote.ts';
import { documentTarget } from '../memory/documentTargets.ts';
import { refuseSecrets } from '../memory/noteFile.ts';
import { hasNote, withNote } from '../memory/quickAdd.ts';
import { rawDocument, writeDocument } from '../memory/writeDocument.ts';
import { type ContextPlace, documentFolders } from './memoryContext.ts';
import { readMemorySettings } from './memorySettings.ts';
import { trustOf } from './memoryTrust.ts';

/** @returns what the agent is told of it, '' for a prompt that is none. @throws system errors */
export function keepPromptNote(prompt: string, place: ContextPlace): string {
  const note = noteInPrompt(prompt);
  if (note === undefined) return '';
  const settings = readMemorySettings(place.home);
  if (!settings.keepsPromptNotes) return '';
  if (place.root !== null && trustOf(place.home, place.root) === false) return '';
  try {
    refuseSecrets(note);
    const target = documentTarget('local', documentFolders(place, true), settings.documentNames);
    const seen = rawDocument(target.file);
    // Two configuration files, two hooks, one prompt.
    if (!hasNote(seen ?? '', note))
      writeDocument(target.file, [target], seen, withNote(seen, note));
    return `The prompt is a note of the person for later sessions. It stands in ${path.basename(target.file)} now; just say so.`;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return `The prompt is a note of the person for later sessions. It was not kept: ${messageOf(error)} Tell the person.`;
  }
}
