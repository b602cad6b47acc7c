/**
 * Whose the folder of this window is, and what a person should hear about it: turns that were not committed, each reason
 * once, and a folder that may be a moved project's.
 */
import * as vscode from 'vscode';
import type { TurnCommit } from '../core/autoCommit.ts';
import type { ProjectId } from '../core/ids.ts';
import type { ProjectSummary } from '../core/project.ts';
import { warn } from './dialogs.ts';
import type { Edge } from './edge.ts';
import { commandIds } from './names.ts';
import { skipNotice, standingSkip } from './projectNotice.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { Memory } from './timelineModel.ts';

export interface CurrentProject {
  readonly project: ProjectSummary;
  /** Why its newest turn was not committed; null when it was, or needs nobody's attention. */
  readonly skipped: string | null;
}

/** Pairs of folder and project that a person said are not the same. */
const apartKey = 'memcode.projects.apart';

export class ProjectWatch {
  readonly #hub: TimelineHub;
  readonly #edge: Edge;
  readonly #memory: Memory;
  #current: CurrentProject | undefined;
  /** Asked or being asked in this window. */
  readonly #asked = new Set<string>();

  constructor(hub: TimelineHub, edge: Edge, memory: Memory) {
    this.#hub = hub;
    this.#edge = edge;
    this.#memory = memory;
  }

  /** The project of the session that is looked at, or of the first folder. */
  get current(): CurrentProject | undefined {
    return this.#current;
  }

  /** Looks again. Questions and notices stay as long as they like: nobody waits for them. */
  look(): void {
    const opened = this.#hub.current;
    if (opened === undefined) return;
    const { app } = opened;
    const project = projectOf(opened, this.#hub.roots()[0]?.root);
    const newest = project && app.projects.commits(project.id, 1)[0];
    this.#current = project && { project, skipped: standingSkip(newest) };
    if (!vscode.workspace.isTrusted) return;
    for (const id of this.#projectsHere(app)) this.#tell(app, id);
    this.#askAboutMoved(app);
  }

  #projectsHere(app: OpenTimeline['app']): ReadonlySet<ProjectId> {
    const found = this.#hub.roots().flatMap(({ root }) => {
      const of = app.projects.of(root);
      return of.kind === 'project' ? [of.project.id] : [];
    });
    return new Set([...found, ...(this.#current ? [this.#current.project.id] : [])]);
  }

  #tell(app: OpenTimeline['app'], id: ProjectId): void {
    const { projects } = app;
    for (const commit of projects.notices(id)) {
      if (commit.reason !== null) projects.told(id, [commit.reason]);
      this.#edge.start('Notice', () => this.#notice(app, commit));
    }
  }

  async #notice(app: OpenTimeline['app'], commit: TurnCommit): Promise<void> {
    const { projects } = app;
    const { number } = app.turn(commit.turn);
    const notice = skipNotice(commit, projects.get(commit.project), number, vscode.l10n);
    const answer = await warn(notice.message, notice.choices);
    if (answer === 'mute' && commit.reason !== null) projects.mute(commit.project, commit.reason);
    // Of VS Code's own git extension.
    if (answer === 'branch') await vscode.commands.executeCommand('git.branch');
    if (answer === 'show') await vscode.commands.executeCommand('workbench.view.scm');
    if (answer === 'commit')
      await vscode.commands.executeCommand(commandIds.commitTurn, commit.turn);
  }

  #askAboutMoved(app: OpenTimeline['app']): void {
    for (const { root } of this.#hub.roots()) {
      const found = app.projects.of(root);
      if (found.kind !== 'unsure') continue;
      const pair = JSON.stringify([root, found.project.id]);
      if (this.#asked.has(pair) || apart(this.#memory).includes(pair)) continue;
      this.#asked.add(pair);
      this.#edge.start('A moved project', async () => {
        const { name, workdir, id } = found.project;
        const answer = await warn(
          vscode.l10n.t(
            '{0} may be the folder of the project {1}, which was {2}.',
            root,
            name,
            workdir,
          ),
          [
            { id: 'moved', label: vscode.l10n.t('It Was Moved') },
            { id: 'apart', label: vscode.l10n.t('Not the Same') },
          ],
        );
        if (answer === 'moved') app.projects.relocate(id, root);
        if (answer === 'apart') await this.#memory.update(apartKey, [...apart(this.#memory), pair]);
      });
    }
  }
}

function projectOf(
  { app, model }: OpenTimeline,
  first: string | undefined,
): ProjectSummary | undefined {
  const session = model.session;
  if (session?.summary.project !== undefined) return app.projects.get(session.summary.project);
  const folder = session?.root ?? first;
  if (folder === undefined || !vscode.workspace.isTrusted) return undefined;
  const found = app.projects.of(folder);
  return found.kind === 'project' ? found.project : undefined;
}

/** What a memento holds was written by some version of us. */
function apart(memory: Memory): readonly string[] {
  const value = memory.get(apartKey);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
