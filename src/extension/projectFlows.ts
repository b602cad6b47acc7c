/** The questions around projects: making, moving, forgetting them, and what they are to commit. No vscode. */
import path from 'node:path';
import type { ProjectUse } from '../app/projectUse.ts';
import { isInside } from '../base/platform.ts';
import { type AutoCommitMode, autoCommitModes } from '../core/autoCommit.ts';
import { UserError } from '../core/errors.ts';
import type { SessionId } from '../core/ids.ts';
import type { FolderProject, ProjectSummary } from '../core/project.ts';
import type { Localizer } from './localizer.ts';
import { autoCommitText } from './projectItems.ts';
import type { Ask, Input, Pick, PickMany } from './question.ts';
import { cutText } from './shortText.ts';

export interface ProjectFlowContext {
  readonly projects: ProjectUse;
  readonly l10n: Localizer;
  readonly ask: Ask;
  readonly pick: Pick;
  readonly pickMany: PickMany;
  readonly input: Input;
  /** Lets somebody choose a folder of the disk. */
  readonly chooseFolder: (title: string) => Promise<string | undefined>;
}

export interface NewProjectFacts {
  /** Of this window. */
  readonly folders: readonly { readonly path: string; readonly name: string }[];
  /** The one that is looked at. */
  readonly session?: {
    readonly id: SessionId;
    readonly title: string;
    readonly root: string;
    readonly project?: string;
  };
}

/** Makes a project, after all is asked: given up at any question, nothing was done. */
export async function newProjectFlow(
  { folders, session }: NewProjectFacts,
  context: ProjectFlowContext,
): Promise<ProjectSummary | undefined> {
  const { projects, l10n, input } = context;
  const workdir = await projectFolder(folders, context);
  if (workdir === undefined) return undefined;
  const known = projects.of(workdir);
  if (known.kind === 'project' && isSameFolder(known.project.workdir, workdir))
    throw new UserError(
      'usage',
      l10n.t('{0} is the folder of the project {1} already.', workdir, known.project.name),
    );
  if (known.kind === 'unsure' || known.kind === 'copy') {
    const answer = await askAboutMark(known, workdir, context);
    if (answer === undefined) return undefined;
    if (answer === 'moved') return projects.relocate(known.project.id, workdir);
  }
  const name = await input({
    title: l10n.t('Name of the New Project'),
    prompt: l10n.t('Name of the project in {0}', workdir),
    value: path.basename(workdir),
    empty: l10n.t('A project needs a name.'),
  });
  if (name === undefined) return undefined;
  const repository = projects.hasRepository(workdir)
    ? 'there'
    : await askForRepository(workdir, context);
  if (repository === undefined) return undefined;
  const attaches = await askToAttach(session, workdir, context);
  if (attaches === undefined) return undefined;
  const made = projects.create({ workdir, name });
  if (repository === 'make') projects.initRepository(made.id);
  if (attaches && session !== undefined) projects.attach(made.id, session.id);
  return projects.get(made.id);
}

async function projectFolder(
  folders: NewProjectFacts['folders'],
  { projects, l10n, pick, chooseFolder }: ProjectFlowContext,
): Promise<string | undefined> {
  const title = l10n.t('New Project');
  const free = folders.filter(({ path: at }) => {
    const of = projects.of(at);
    return of.kind !== 'project' || !isSameFolder(of.project.workdir, at);
  });
  if (free.length === 0) return chooseFolder(title);
  const other = '';
  const picked = await pick(
    [
      ...free.map(({ path: at, name }) => ({
        ...{ kind: 'item' as const, label: name, description: at, detail: '' },
        ...{ value: at, icon: 'folder' },
      })),
      {
        ...{ kind: 'item', label: l10n.t('Other Folder…'), description: '', detail: '' },
        ...{ value: other, icon: 'folder-opened' },
      },
    ],
    { title, placeholder: l10n.t('Folder of the project'), empty: '' },
  );
  return picked === other ? chooseFolder(title) : picked;
}

/** A folder that bears the mark of a project whose place is another. */
export function askAboutMark(
  { kind, project }: Extract<FolderProject, { kind: 'unsure' | 'copy' }>,
  folder: string,
  { l10n, ask }: { readonly l10n: Localizer; readonly ask: Ask },
): Promise<'moved' | 'new' | undefined> {
  const { name, workdir } = project;
  const isCopy = kind === 'copy';
  const asNew = { id: 'new', label: l10n.t('Make a New Project') } as const;
  return ask<'moved' | 'new'>({
    message: isCopy
      ? l10n.t('{0} is a copy of {1}, the folder of the project {2}.', folder, workdir, name)
      : l10n.t('{0} may be the folder of the project {1}, which was {2}.', folder, name, workdir),
    detail: isCopy
      ? l10n.t('The copy can become a project of its own.')
      : l10n.t('If it was moved, the project goes on here with its sessions.'),
    choices: isCopy ? [asNew] : [{ id: 'moved', label: l10n.t('It Was Moved') }, asNew],
  });
}

function askForRepository(
  workdir: string,
  { l10n, ask }: ProjectFlowContext,
): Promise<'make' | 'without' | undefined> {
  return ask<'make' | 'without'>({
    message: l10n.t('There is no git repository in {0}. Make one?', workdir),
    detail: l10n.t(
      'Only for committing agents’ work is one needed. It is made with your own settings and without a first commit.',
    ),
    choices: [
      { id: 'without', label: l10n.t('Go On Without') },
      { id: 'make', label: l10n.t('Make a Repository') },
    ],
  });
}

/** Sessions in the folder join by themselves: only another one is asked about. */
async function askToAttach(
  session: NewProjectFacts['session'],
  workdir: string,
  { l10n, ask }: ProjectFlowContext,
): Promise<boolean | undefined> {
  if (session === undefined) return false;
  const joins = isInside(workdir, session.root, process.platform) && session.project === undefined;
  if (joins) return false;
  const answer = await ask<'attach' | 'leave'>({
    message: l10n.t('Attach the session “{0}” to the project?', cutText(session.title, 60)),
    detail: l10n.t(
      'It is the one you are looking at. Its turns from now on count for the project.',
    ),
    choices: [
      { id: 'leave', label: l10n.t('Leave It') },
      { id: 'attach', label: l10n.t('Attach') },
    ],
  });
  return answer === undefined ? undefined : answer === 'attach';
}

/** Both absolute. */
export function isSameFolder(a: string, b: string): boolean {
  return path.relative(a, b) === '';
}

/** @param mode default: the person picks one. */
export async function autoCommitFlow(
  project: ProjectSummary,
  mode: AutoCommitMode | undefined,
  context: ProjectFlowContext,
): Promise<ProjectSummary | undefined> {
  const { projects, l10n, pick } = context;
  const wanted =
    mode ??
    (await pick(
      autoCommitModes.map((each) => ({
        ...{ kind: 'item' as const, label: autoCommitText(each, l10n), description: '' },
        ...{ detail: each === project.autoCommit ? l10n.t('as it is now') : '', value: each },
        active: each === project.autoCommit,
      })),
      {
        title: l10n.t('Auto-Commit of {0}', project.name),
        placeholder: l10n.t('What becomes of agents’ work when a turn ends, from the next turn on'),
        empty: '',
      },
    ));
  if (wanted === undefined || wanted === project.autoCommit) return undefined;
  if (wanted !== 'off' && !project.isMissing && !projects.hasRepository(project.workdir)) {
    const repository = await askForRepository(project.workdir, context);
    if (repository === undefined) return undefined;
    if (repository === 'make') projects.initRepository(project.id);
  }
  return projects.change(project.id, { autoCommit: wanted });
}

/** Forgets a project after a question. @returns whether it was. */
export async function removeProjectFlow(
  { id, name }: ProjectSummary,
  { projects, l10n, ask }: ProjectFlowContext,
): Promise<boolean> {
  const answer = await ask({
    message: l10n.t('Forget the project {0}?', name),
    detail: l10n.t('Its files, sessions and commits stay.'),
    choices: [{ id: 'forget', label: l10n.t('Forget Project') }],
  });
  if (answer === undefined) return false;
  projects.remove(id);
  return true;
}

/** @returns those that were made. @throws UserError `nothingToDo` where there is nothing to import. */
export async function importProjectsFlow(
  folders: readonly string[],
  { projects, l10n, pickMany }: ProjectFlowContext,
): Promise<readonly ProjectSummary[]> {
  const chosen = await pickMany(
    projects.importable(folders).map(({ workdir, sessions, isRepository }) => ({
      kind: 'item' as const,
      label: path.basename(workdir) || workdir,
      description: workdir,
      detail: [
        ...(sessions === 0
          ? []
          : [sessions === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', sessions)]),
        isRepository ? l10n.t('git repository') : l10n.t('no git repository'),
      ].join(' · '),
      value: workdir,
      active: sessions > 0,
    })),
    {
      title: l10n.t('Import Projects'),
      placeholder: l10n.t('Folders that become projects, with the sessions in them'),
      empty: l10n.t('Every folder with sessions, and every repository here, is a project already.'),
    },
  );
  return (chosen ?? []).map((workdir) => projects.create({ workdir }));
}
