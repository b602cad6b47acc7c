/** Entry of the bundle that hooks load to give agents memory: every other hook starts without it. */

import { memoryPlaces } from '../app/memoryContext.ts';
import { memoryFor } from '../app/memoryInjection.ts';
import { keepPromptNote } from '../app/promptNotes.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import type { Root } from '../core/ids.ts';
import { projectIdentity } from '../memory/projectIdentity.ts';

export interface MemoryCall {
  readonly event: AgentEvent & { readonly kind: 'sessionStart' | 'prompt' };
  readonly home: string;
  readonly userHome: string;
  readonly root: Root;
  readonly folder: string;
  readonly turn?: string;
  readonly room: number;
  readonly now: number;
}

/** What the agent is to read; '' for nothing. @throws system errors */
export function hookMemory({ home, userHome, root, folder, ...request }: MemoryCall): string {
  const places = memoryPlaces(home, projectIdentity(root).id);
  const place = { home, userHome, root, folder, places };
  const { event, room } = request;
  const note = event.kind === 'prompt' ? keepPromptNote(event.prompt, place) : '';
  const memory = memoryFor({ ...request, place, room: room - note.length });
  return [note, memory].filter((text) => text !== '').join('\n\n');
}
