/** The Projects view: projects, the sessions in them, their turns. Reads only. */
import * as vscode from 'vscode';
import type { ProjectId, SessionId, TurnId } from '../core/ids.ts';
import type { SessionSummary, TurnSummary } from '../core/timeline.ts';
import { commandIds } from './names.ts';
import { projectRow, sessionRow, turnRow } from './projectItems.ts';
import { standingSkip } from './projectNotice.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import { treeItem } from './treeItem.ts';

/** Menus hand these on as the argument of their commands. */
export type ProjectNode =
  | { readonly kind: 'project'; readonly project: ProjectId }
  | { readonly kind: 'session'; readonly project: ProjectId; readonly session: SessionId }
  | { readonly kind: 'turn'; readonly project: ProjectId; readonly turn: TurnId }
  | { readonly kind: 'more'; readonly session: SessionId; readonly count: number };

/** Of a session; the timeline shows the others. */
const mostTurns = 200;

type App = OpenTimeline['app'];

export class ProjectTree implements vscode.TreeDataProvider<ProjectNode> {
  readonly #hub: TimelineHub;
  readonly #current: () => ProjectId | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** What was listed last, so that a row needs no question of its own. */
  #turns = new Map<TurnId, TurnSummary>();
  #sessions = new Map<SessionId, SessionSummary>();

  /** @param current the project of what is looked at */
  constructor(hub: TimelineHub, current: () => ProjectId | undefined) {
    this.#hub = hub;
    this.#current = current;
  }

  refresh(): void {
    this.#turns = new Map();
    this.#sessions = new Map();
    this.#changed.fire();
  }

  getChildren(node?: ProjectNode): ProjectNode[] {
    const app = this.#hub.current?.app;
    if (app === undefined) return [];
    if (node === undefined)
      return app.projects.list().map(({ id }) => ({ kind: 'project', project: id }));
    if (node.kind === 'project') {
      const { project } = node;
      const sessions = app.projects.sessions(project);
      for (const session of sessions) this.#sessions.set(session.id, session);
      return sessions.map(({ id }) => ({ kind: 'session', project, session: id }));
    }
    return node.kind === 'session' ? this.#turnsOf(app, node) : [];
  }

  getTreeItem(node: ProjectNode): vscode.TreeItem {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const app = this.#hub.current?.app;
    if (app === undefined) return new vscode.TreeItem('');
    switch (node.kind) {
      case 'project': {
        const project = app.projects.get(node.project);
        const skipped = standingSkip(app.projects.commits(project.id, 1)[0]);
        const isHere = project.id === this.#current();
        const row = projectRow(project, isHere, skipped, vscode.l10n);
        return treeItem(
          row,
          `project ${project.id}`,
          project.sessions.length > 0 ? Collapsed : None,
        );
      }
      case 'session': {
        const session = this.#sessions.get(node.session);
        if (session === undefined) return new vscode.TreeItem(node.session);
        const row = sessionRow(session, vscode.env.language, vscode.l10n);
        const below = session.turns > 0 ? Collapsed : None;
        return treeItem(row, `session ${node.project} ${session.id}`, below);
      }
      case 'turn': {
        const turn = this.#turns.get(node.turn) ?? app.turn(node.turn);
        const item = treeItem(turnRow(turn, vscode.l10n), `turn ${turn.id}`, None);
        const title = vscode.l10n.t('Show Turn');
        item.command = { command: commandIds.openTurn, title, arguments: [node] };
        return item;
      }
      case 'more': {
        const item = new vscode.TreeItem(vscode.l10n.t('{0} older turns', node.count), None);
        const title = vscode.l10n.t('Show Session History');
        item.command = { command: commandIds.openProjectSession, title, arguments: [node] };
        return item;
      }
    }
  }

  #turnsOf(
    app: App,
    { project, session }: Extract<ProjectNode, { kind: 'session' }>,
  ): ProjectNode[] {
    const turns = app.turns(session);
    const newest = turns.slice(-mostTurns).reverse();
    for (const turn of newest) this.#turns.set(turn.id, turn);
    const older = turns.length - newest.length;
    return [
      ...newest.map(({ id }): ProjectNode => ({ kind: 'turn', project, turn: id })),
      ...(older > 0 ? [{ kind: 'more', session, count: older } as const] : []),
    ];
  }
}
