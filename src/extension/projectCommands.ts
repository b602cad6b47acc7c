/** The commands around projects. Their arguments are ids, or rows of the Projects view. */
import { projectArgument, sessionArgument, turnArgument } from './commandArguments.ts';
import { commandIds } from './names.ts';
import type { ProjectHost } from './projectHost.ts';

type Handler = (argument: unknown) => unknown;

/** One for each command, by id. */
export function projectHandlers(projects: ProjectHost) {
  return {
    [commandIds.newProject]: () => projects.act((actions) => actions.create()),
    [commandIds.importProjects]: () => projects.act((actions) => actions.importProjects()),
    [commandIds.openProject]: (at) =>
      projects.act((actions) => actions.openPage(projectArgument(at))),
    [commandIds.renameProject]: (at) =>
      projects.act((actions) => actions.rename(projectArgument(at))),
    [commandIds.pauseProject]: (at) =>
      projects.act((actions) => actions.setStatus('paused', projectArgument(at))),
    [commandIds.resumeProject]: (at) =>
      projects.act((actions) => actions.setStatus('active', projectArgument(at))),
    [commandIds.finishProject]: (at) =>
      projects.act((actions) => actions.setStatus('done', projectArgument(at))),
    [commandIds.removeProject]: (at) =>
      projects.act((actions) => actions.remove(projectArgument(at))),
    [commandIds.locateProject]: (at) =>
      projects.act((actions) => actions.locate(projectArgument(at))),
    [commandIds.setAutoCommit]: (at) =>
      projects.act((actions) => actions.setAutoCommit(projectArgument(at))),
    [commandIds.attachSession]: (at) => {
      const session = sessionArgument(at);
      const project = session === undefined ? projectArgument(at) : undefined;
      return projects.act((actions) =>
        actions.attach({ ...(project && { project }), ...(session && { session }) }),
      );
    },
    [commandIds.revertCommits]: (at) =>
      projects.act((actions) => actions.revertCommits(typeof at === 'string' ? at : undefined)),
    [commandIds.detachSession]: (at) =>
      projects.act((actions) => actions.detach(sessionArgument(at))),
    [commandIds.openProjectSession]: (at) => {
      const session = sessionArgument(at);
      return session && projects.act((actions) => actions.openSession(session));
    },
    [commandIds.openTurn]: (at) => {
      const turn = turnArgument(at);
      return turn && projects.act((actions) => actions.openTurn(turn));
    },
    [commandIds.commitTurn]: (at) => {
      const turn = turnArgument(at);
      return turn && projects.act((actions) => actions.commitTurn(turn));
    },
  } as const satisfies Readonly<Record<string, Handler>>;
}
