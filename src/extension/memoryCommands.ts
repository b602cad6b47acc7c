/** The commands around memory. Their arguments are rows of the Memory view, or texts of what waits. */

import type { MemoryHost } from './memoryHost.ts';
import { type MemoryNode, memoryArgument } from './memoryNode.ts';
import { commandIds } from './names.ts';

type Handler = (argument: unknown, all: unknown) => unknown;
type Note = Extract<MemoryNode, { kind: 'note' }>;

/** One for each command, by id. */
export function memoryHandlers(memory: MemoryHost) {
  const ofNote = (at: unknown, act: (note: Note) => unknown): unknown => {
    const node = memoryArgument(at);
    return node?.kind === 'note' ? act(node) : undefined;
  };
  const ofPreset = (at: unknown, act: (preset: string) => unknown): unknown => {
    const node = memoryArgument(at);
    return node?.kind === 'preset' ? act(node.preset) : undefined;
  };
  return {
    [commandIds.addNote]: (at) => memory.act((actions) => actions.add.note(memoryArgument(at))),
    [commandIds.addFact]: (at) => memory.act((actions) => actions.add.fact(memoryArgument(at))),
    [commandIds.addToDocument]: (at) =>
      memory.act((actions) => actions.add.toDocument(memoryArgument(at))),
    [commandIds.exportMemory]: (at) =>
      memory.act((actions) => actions.exchange.export(memoryArgument(at))),
    [commandIds.importMemory]: (at) =>
      memory.act((actions) => actions.exchange.import(memoryArgument(at))),
    [commandIds.searchMemory]: () => memory.act((actions) => actions.search()),
    [commandIds.clearMemorySearch]: () => memory.search(undefined),
    [commandIds.memoryHistory]: (at) =>
      memory.act((actions) => actions.past.history(memoryArgument(at))),
    [commandIds.memoryAsOf]: () => memory.act((actions) => actions.past.asOf()),
    [commandIds.switchPreset]: () => memory.act((actions) => actions.presets.switch()),
    [commandIds.addPreset]: () => memory.act((actions) => actions.presets.add()),
    [commandIds.reviewMemoryWrite]: (at) => memory.act((actions) => actions.waiting.review(at)),
    [commandIds.approveMemoryWrite]: (at, all) =>
      memory.act((actions) => actions.waiting.approve(at, all)),
    [commandIds.rejectMemoryWrite]: (at, all) =>
      memory.act((actions) => actions.waiting.reject(at, all)),
    [commandIds.editMemory]: (at) => memory.act((actions) => actions.edit(memoryArgument(at))),
    [commandIds.renameNote]: (at) =>
      ofNote(at, (note) => memory.act((actions) => actions.rename(note))),
    [commandIds.pinNote]: (at) =>
      ofNote(at, (note) => memory.act((actions) => actions.pin(note, true))),
    [commandIds.unpinNote]: (at) =>
      ofNote(at, (note) => memory.act((actions) => actions.pin(note, false))),
    [commandIds.moveNote]: (at) =>
      ofNote(at, (note) => memory.act((actions) => actions.move(note))),
    [commandIds.setNoteMode]: (at) =>
      ofNote(at, (note) => memory.act((actions) => actions.setMode(note))),
    [commandIds.forgetMemory]: (at) => {
      const node = memoryArgument(at);
      if (node?.kind !== 'note' && node?.kind !== 'fact') return undefined;
      return memory.act((actions) => actions.forget(node));
    },
    [commandIds.showMemoryTurn]: (at) =>
      memory.act((actions) => actions.showTurn(memoryArgument(at))),
    [commandIds.usePreset]: (at) =>
      ofPreset(at, (preset) => memory.act((actions) => actions.presets.use(preset))),
    [commandIds.removePreset]: (at) =>
      ofPreset(at, (preset) => memory.act((actions) => actions.presets.remove(preset))),
  } as const satisfies Readonly<Record<string, Handler>>;
}
