/** The one implementation of what hosts do with memory. */
import { UserError } from '../core/errors.ts';
import { factScopes } from '../core/memory.ts';
import { readSheet } from '../memory/factSheets.ts';
import { findNote, listNotes, noSuchNote, wholeNote, withoutPlaces } from '../memory/notes.ts';
import { adoptProject, orphanedProjects, projectIdentity } from '../memory/projectIdentity.ts';
import { recallNotes } from '../memory/recall.ts';
import { inTransaction } from '../session/database.ts';
import { renameProjectTouches } from '../session/memoryTouches.ts';
import { readAgentWrites, writeAgentWrites } from './agentWrites.ts';
import { historyOf, memoryAsOf, restoreVersion } from './memoryHistory.ts';
import type { MemoryKeeper } from './memoryKeeper.ts';
import { editNote, moveNote, writeMemory } from './memoryNotes.ts';
import { memoryOrigin } from './memoryOrigin.ts';
import { approvePending, listPending, rejectPending } from './memoryPending.ts';
import { factCap } from './memoryStore.ts';
import type { MemoryUse } from './memoryUse.ts';

export function memoryUse(keeper: MemoryKeeper): MemoryUse {
  const { folder } = keeper;
  /** What the system tells of files arrives between two turns of the loop; so nothing told before the call is missed. */
  const current = async (root: Parameters<MemoryUse['list']>[0]) => {
    await new Promise((resolve) => setImmediate(resolve));
    const places = keeper.places(root);
    return { places, index: keeper.index(places) };
  };
  return {
    async list(root, choice) {
      const { index, places } = await current(root);
      return listNotes(index, places, choice).map(withoutPlaces);
    },
    async show(root, name, scope) {
      const { index, places } = await current(root);
      const note = findNote(index, places, name, scope);
      if (note === undefined) throw noSuchNote(name);
      return wholeNote(note);
    },
    async recall(root, query) {
      const { index, places } = await current(root);
      return recallNotes(index, places, query);
    },
    async facts(root) {
      const places = keeper.places(root);
      return factScopes.flatMap((scope) => readSheet(places, scope, factCap(scope))?.sheet ?? []);
    },
    async problems(root) {
      const places = keeper.places(root);
      const index = keeper.index(places, true);
      const sheets = await this.facts(root);
      return [...index.problems(places), ...sheets.flatMap(({ problems }) => problems)];
    },
    write: async (root, write, writer) => writeMemory(keeper, root, write, writer),
    edit: (root, name, edit, scope) => editNote(keeper, root, name, edit, scope),
    move: (root, name, from, to) => moveNote(keeper, root, name, from, to),
    pending: async (root) => listPending(keeper, root),
    approve: (id, how = {}) => approvePending(keeper, id, how),
    reject: (id) => rejectPending(keeper, id),
    history: async (root, name, scope) => historyOf(keeper, root, name, scope),
    restore: async (touch, side) => restoreVersion(keeper, touch, side),
    asOf: async (root, moment) => memoryAsOf(keeper, root, moment),
    agentWrites: () => readAgentWrites(folder),
    setAgentWrites: (mode) => writeAgentWrites(folder, mode),
    orphans: async () => orphanedProjects(folder).map(({ place }) => place),
    adopt: (root, place) =>
      keeper.alone(() => {
        const orphan = orphanedProjects(folder).find((each) => each.place === place);
        if (orphan === undefined)
          throw new UserError('notFound', `There is no memory of a folder that is gone: ${place}.`);
        const to = projectIdentity(root);
        adoptProject(folder, orphan.id, to);
        inTransaction(keeper.context.database, () =>
          renameProjectTouches(keeper.context.database, orphan.id, to.id),
        );
      }),
    origin: (root, writer) => memoryOrigin(keeper.context, root, writer),
  };
}
