/** The use cases around projects: making, changing, finding and forgetting them, and the sessions in them. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { measuredSize } from '../base/folderSize.ts';
import { mirrorFolder, rootFolder } from '../base/home.ts';
import { isFolder } from '../base/isFolder.ts';
import { realFolder } from '../base/root.ts';
import type { SkipReason, TurnCommit } from '../core/autoCommit.ts';
import { isQuiet } from '../core/autoCommitText.ts';
import { messageOf, UserError } from '../core/errors.ts';
import { asProjectId, type ProjectId, type Root } from '../core/ids.ts';
import { cleanName } from '../core/noteName.ts';
import type { FolderProject, ProjectSummary } from '../core/project.ts';
import { firstCharacters } from '../core/turnMessage.ts';
import { type GitResult, runGit } from '../git/runGit.ts';
import { readMark, removeMark, writeMark } from '../project/projectMark.ts';
import { projectAround } from '../project/projectOfFolder.ts';
import {
  addProject,
  changeProject,
  joinSession,
  moveProject,
  muteReason,
  projectById,
  projectsOf,
  removeProject,
  type StoredProject,
  sessionsIn,
} from '../project/registry.ts';
import {
  forgetTurnCommit,
  markTold,
  projectCommits,
  toldReasons,
  turnCommitOf,
  untoldCommits,
} from '../project/turnCommits.ts';
import { inTransaction } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import { rootsOfSession, sessionById } from '../session/timelineStore.ts';
import { importCandidates } from './importCandidates.ts';
import type { OperationContext } from './operations.ts';
import { joinByFolder } from './projectJoins.ts';
import type { ProjectUse } from './projectUse.ts';
import { revertableCommits, revertCommits } from './revertCommits.ts';

const usualLimit = 200;
const longestName = 200;

export interface ProjectUseOptions {
  /** Called after something of a project became other than it was. */
  readonly changed: () => void;
  /** Commits what is due. */
  readonly decide: () => Promise<void>;
  /** Milliseconds to wait for whoever holds the user's index. */
  readonly patience: number;
}

export function projectUse(
  context: OperationContext,
  { changed, decide, patience }: ProjectUseOptions,
): ProjectUse {
  const { database, now } = context;
  const need = (id: ProjectId): StoredProject => {
    const found = projectById(database, id);
    if (found) return found;
    throw new UserError('notFound', `There is no project ${id}.`, { project: id });
  };
  const summary = (project: StoredProject): ProjectSummary => {
    const { commitSince: _since, muted: _muted, ...rest } = project;
    const isMissing = !isFolder(project.workdir);
    return { ...rest, isMissing, sessions: sessionsIn(database, project.id) };
  };
  const get = (id: ProjectId) => summary(need(id));
  /** One transaction, then the news. */
  const write = (work: () => void): void => {
    inTransaction(database, work);
    changed();
  };

  const moveTo = (id: ProjectId, workdir: string): void => {
    write(() => moveProject(database, id, workdir));
    mark(context, workdir, id);
  };

  return {
    list: () => projectsOf(database).map(summary),
    get,
    find: (text) => summary(findProject(projectsOf(database), text)),
    of(folder): FolderProject {
      const real = realFolder(folder);
      const projects = projectsOf(database);
      const around = projectAround(projects, real);
      if (around) return { kind: 'project', project: summary(around) };
      const marked = markedAbove(projects, real);
      if (marked === undefined) return { kind: 'none' };
      const kind = placeOf(marked.project);
      if (kind !== 'gone') return { kind, project: summary(marked.project) };
      moveTo(marked.project.id, marked.folder);
      return { kind: 'project', project: get(marked.project.id) };
    },
    create({ workdir, name, description = '', joinsByFolder = true }) {
      const real = realFolder(workdir);
      const id = asProjectId(randomUUID());
      const at = now();
      write(() =>
        addProject(database, {
          id,
          name: checkedName(name ?? (path.basename(real) || real)),
          description,
          workdir: real,
          status: 'active',
          createdAt: at,
          joinsByFolder,
          autoCommit: 'off',
          commitSince: at,
          muted: [],
        }),
      );
      mark(context, real, id);
      joinByFolder(database, at);
      return get(id);
    },
    change(id, change) {
      const name = change.name === undefined ? {} : { name: checkedName(change.name) };
      write(() => changeProject(database, need(id), { ...change, ...name }, now()));
      if (change.joinsByFolder) joinByFolder(database, now());
      return get(id);
    },
    relocate(id, folder) {
      need(id);
      moveTo(id, realFolder(folder));
      return get(id);
    },
    remove(id) {
      const { workdir } = need(id);
      write(() => removeProject(database, id));
      try {
        removeMark(workdir, id);
      } catch (error) {
        context.log('warn', `The mark of a project stays in ${workdir}: ${messageOf(error)}`);
      }
    },
    attach(id, session) {
      need(id);
      if (statement(database, 'SELECT 1 FROM sessions WHERE id = ?').get(session) === undefined)
        throw new UserError('notFound', `There is no session ${session}.`, { session });
      write(() => joinSession(database, session, id, now()));
      return get(id);
    },
    detach: (session) => write(() => joinSession(database, session, null, now())),
    initRepository: (id) => initRepository(context, need(id).workdir),
    importable: (folders = []) => importCandidates(database, folders),
    sessions: (id) =>
      sessionsIn(database, need(id).id)
        .flatMap((session) => sessionById(database, session) ?? [])
        .toSorted((a, b) => b.updatedAt - a.updatedAt),
    diskUse: async (id) => measuredSize(foldersOf(context, need(id))),
    hasRepository: (folder) => isInRepository(context, folder).code === 0,

    commits: (id, limit = usualLimit) => projectCommits(database, need(id).id, limit),
    commitOf: (turn) => turnCommitOf(database, turn),
    async commitAgentPaths(turn) {
      const skipped = turnCommitOf(database, turn);
      if (skipped === undefined)
        throw new UserError('notFound', `Nothing was decided about turn ${turn}.`, { turn });
      if (skipped.state === 'committed') return skipped;
      const project = need(skipped.project);
      write(() => {
        changeProject(database, project, { autoCommit: 'agentPathsOnly' }, now());
        forgetTurnCommit(database, turn);
      });
      await decide();
      const decided = turnCommitOf(database, turn) ?? skipped;
      const { reason } = decided;
      if (reason !== null) write(() => markTold(database, project.id, reason));
      return decided;
    },
    revertable: (root) => revertableCommits(context, root),
    async revertCommits(root, turns) {
      const reverted = await revertCommits(context, { root, turns, patience });
      changed();
      return reverted;
    },
    notices(id) {
      const { muted } = need(id);
      return newestOfEach(
        untoldCommits(database, id),
        new Set([...muted, ...toldReasons(database, id)]),
      );
    },
    told: (id, reasons) =>
      write(() => {
        for (const reason of reasons) markTold(database, need(id).id, reason);
      }),
    mute: (id, reason) => write(() => muteReason(database, need(id), reason)),
  };
}

function findProject(projects: readonly StoredProject[], text: string): StoredProject {
  const exact = projects.filter(({ id, name }) => id === text || name === text);
  const fitting =
    exact.length > 0 ? exact : text === '' ? [] : projects.filter(({ id }) => id.startsWith(text));
  const [first, ...others] = fitting;
  if (first === undefined)
    throw new UserError('notFound', `There is no project ${text}.`, { project: text });
  if (others.length === 0) return first;
  const ids = fitting.map(({ id }) => id);
  throw new UserError('usage', `${text} may be any of ${ids.join(', ')}.`, { projects: ids });
}

function checkedName(name: string): string {
  const line = firstCharacters(cleanName(name), longestName);
  if (line !== '') return line;
  throw new UserError('usage', 'A project needs a name.');
}

/** Whether the folder of a project is still there with its mark, is gone, or is another one now. */
function placeOf({ id, workdir }: StoredProject): 'copy' | 'gone' | 'unsure' {
  if (!isFolder(workdir)) return 'gone';
  return readMark(workdir) === id ? 'copy' : 'unsure';
}

function markedAbove(
  projects: readonly StoredProject[],
  folder: string,
): { readonly project: StoredProject; readonly folder: string } | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const id = readMark(at);
    const project = projects.find((each) => each.id === id);
    if (project) return { project, folder: at };
    if (at === path.dirname(at)) return undefined;
  }
}

/** A folder that cannot be written does without. */
function mark({ log }: OperationContext, workdir: string, id: ProjectId): void {
  try {
    writeMark(workdir, id);
  } catch (error) {
    log('warn', `${workdir} is not found again when it is moved: ${messageOf(error)}`);
  }
}

/** Everything our stores keep of its sessions and their roots; its own notes in the folder too. */
function foldersOf({ home, database }: OperationContext, { id, workdir }: StoredProject) {
  const sessions = sessionsIn(database, id);
  const roots = new Set<string>([
    workdir,
    ...sessions.flatMap((session) => rootsOfSession(database, session)),
  ]);
  return [
    ...[...roots].flatMap((root) => [path.join(root, '.memcode'), rootFolder(home, root as Root)]),
    ...sessions.map((session) => mirrorFolder(home, session)),
  ];
}

function isInRepository(
  { environment }: Pick<OperationContext, 'environment'>,
  folder: string,
): GitResult {
  return runGit(folder, ['rev-parse', '--git-dir'], environment);
}

function initRepository({ environment }: OperationContext, workdir: string): void {
  const inside = isInRepository({ environment }, realFolder(workdir));
  if (inside.code === 0) return;
  const isFree = inside.stderr.includes('not a git repository');
  const made = isFree ? runGit(workdir, ['init', '--quiet'], environment) : inside;
  if (made.code === 0) return;
  throw new UserError(
    'fileSystem',
    `Git could not make a repository in ${workdir}: ${made.stderr.trim()}`,
    {
      workdir,
    },
  );
}

function newestOfEach(
  commits: readonly TurnCommit[],
  except: ReadonlySet<SkipReason>,
): readonly TurnCommit[] {
  const found = new Map<SkipReason, TurnCommit>();
  for (const commit of commits) {
    const { reason } = commit;
    if (reason !== null && !isQuiet(reason) && !except.has(reason) && !found.has(reason))
      found.set(reason, commit);
  }
  return [...found.values()];
}
