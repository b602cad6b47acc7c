import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { counted } from '../previewText.ts';
import type { VerbCall } from '../verb.ts';
import { strangeFolder, tellProject } from './projectWords.ts';

/** The folder becomes a project; its sessions join. */
export async function createProject(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { app } = await context.open();
  const { folder } = context;
  const { projects } = app;
  const found = projects.of(folder);
  const isStrange = found.kind === 'unsure' || found.kind === 'copy';
  if (isStrange && !call.flag('yes'))
    throw new UserError(
      'usage',
      `${strangeFolder(found.kind, found.project)} To make a project of its own of it: --yes`,
      { folder, project: found.project.id },
    );
  const name = call.argument(1);
  const description = call.option('description');
  const made = projects.create({
    workdir: folder,
    joinsByFolder: !call.flag('by-hand'),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  });
  if (call.flag('init')) projects.initRepository(made.id);
  const joined =
    made.sessions.length === 0 ? '' : ` with ${counted(made.sessions.length, 'session')}`;
  tellProject(context, made, `Made the project ${made.name} in ${made.workdir}${joined}.`);
  if (!context.out.json)
    context.out.line(
      'Agents’ work is not committed; to have it committed: memcode-timeline project auto-commit whenClean',
    );
  return 0;
}

/** Folders with sessions and no project become projects; so do the repositories at or in a folder that is named. */
export async function importProjects(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { app } = await context.open();
  const named = call.argument(1);
  const folders = named === undefined ? [] : [path.resolve(context.folder, named)];
  const made = app.projects
    .importable(folders)
    .map(({ workdir }) => app.projects.create({ workdir }));
  const { out } = context;
  if (out.json) out.value({ projects: made });
  else if (made.length === 0) out.line('Every such folder belongs to a project.');
  for (const { name, workdir, sessions } of out.json ? [] : made)
    out.line(`Made the project ${name} in ${workdir} with ${counted(sessions.length, 'session')}.`);
  return 0;
}
