import { projectStatus, shortProjectId } from '../projectActions/projectWords.ts';
import { styled } from '../text.ts';
import type { Verb } from '../verb.ts';

/** Lists all projects. */
export const projects: Verb = {
  name: 'projects',
  summary: 'list the projects of all folders',
  details: [
    'The one of the current folder is marked. `project` makes and changes them; COMMITS is its auto-commit mode.',
  ],
  arguments: [],
  options: [],
  examples: [{ line: 'projects', description: 'all of them' }],
  async run(_call, context) {
    const { app } = await context.open();
    const here = app.projects.of(context.folder);
    const all = app.projects.list();
    const { out, settings } = context;
    if (out.json) {
      out.value({ projects: all });
      return 0;
    }
    if (all.length === 0) {
      out.line('There is no project. Make one: memcode-timeline project create');
      return 0;
    }
    const isHere = (id: string) => here.kind === 'project' && here.project.id === id;
    out.table(
      [
        { title: '' },
        { title: 'PROJECT' },
        { title: 'ID' },
        { title: 'STATUS' },
        { title: 'SESSIONS', align: 'right' },
        { title: 'COMMITS' },
        { title: 'FOLDER', flexible: true },
      ],
      all.map((project) => [
        isHere(project.id) ? '●' : '○',
        styled('bold', project.name),
        settings.verbose ? project.id : shortProjectId(project.id),
        projectStatus(project),
        String(project.sessions.length),
        project.autoCommit,
        project.workdir,
      ]),
    );
    return 0;
  },
};
