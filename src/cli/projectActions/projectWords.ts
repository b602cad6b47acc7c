/** Which project a command line means, and what the CLI says of one. */
import { UserError } from '../../core/errors.ts';
import type { ProjectId } from '../../core/ids.ts';
import type { ProjectSummary } from '../../core/project.ts';
import type { CliContext, Opened } from '../cliContext.ts';
import type { Text } from '../text.ts';
import { styled } from '../text.ts';

/**
 * The project of that name, id or beginning of an id; without one, that of the folder.
 * @throws UserError `notFound`, `usage`.
 */
export function meantProject(
  context: CliContext,
  { app }: Opened,
  wanted: string | undefined,
): ProjectSummary {
  const { projects } = app;
  if (wanted !== undefined) return projects.find(wanted);
  const { folder } = context;
  const found = projects.of(folder);
  if (found.kind === 'project') return found.project;
  throw new UserError(
    'notFound',
    found.kind === 'none'
      ? 'This folder belongs to no project. Make one: memcode-timeline project create'
      : strangeFolder(found.kind, found.project),
    { folder },
  );
}

/** A sentence or two about a folder that bears another project's mark. */
export function strangeFolder(
  kind: 'unsure' | 'copy',
  { name, workdir, id }: ProjectSummary,
): string {
  return kind === 'copy'
    ? `This folder is a copy of ${workdir}, the folder of the project ${name}.`
    : `This may be the folder of the project ${name}, which was ${workdir}. If it was moved: memcode-timeline project move ${shortProjectId(id)}`;
}

/** What stands for it in tables; any unique beginning will do. */
export function shortProjectId(id: ProjectId): string {
  return id.slice(0, 8);
}

export function projectStatus({ status, isMissing }: ProjectSummary): Text {
  if (isMissing) return styled('red', 'folder missing');
  return styled(status === 'active' ? 'green' : 'dim', status);
}

/** The words after the action: a project that may be left out, and a value. */
export function projectAndValue(
  first: string | undefined,
  second: string | undefined,
  what: string,
): { readonly project: string | undefined; readonly value: string } {
  const value = second ?? first;
  if (value === undefined) throw new UserError('usage', `Which ${what}?`);
  return { project: second === undefined ? undefined : first, value };
}

/** Prints what was done, or the project as JSON. */
export function tellProject(context: CliContext, project: ProjectSummary, done: string): void {
  const { out } = context;
  if (out.json) out.value({ project });
  else out.line(done);
}
