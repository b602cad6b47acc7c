/** The questions around projects: each can be given up without a trace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserError } from '../../../src/core/errors.ts';
import { asProjectId, asSessionId } from '../../../src/core/ids.ts';
import {
  autoCommitFlow,
  importProjectsFlow,
  newProjectFlow,
  type ProjectFlowContext,
  removeProjectFlow,
} from '../../../src/extension/projectFlows.ts';
import type { Pick } from '../../../src/extension/question.ts';
import { FakeProjects, fakeProject } from '../../helpers/fakeProjects.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

/** Answers in order: ids of choices, labels of picks, lines, folders; undefined gives up, as does having none. */
class Stage {
  readonly projects = new FakeProjects();
  readonly asked: string[] = [];
  readonly answers: (string | undefined)[];

  constructor(...answers: (string | undefined)[]) {
    this.answers = answers;
  }

  get context(): ProjectFlowContext {
    return {
      projects: this.projects,
      l10n: plainLocalizer,
      ask: async ({ message, choices }) => {
        const answer = this.#next(message);
        return choices.find(({ id }) => id === answer)?.id;
      },
      pick: this.#pick,
      pickMany: async (entries, { title, empty }) => {
        if (entries.length === 0) throw new Error(empty);
        const answer = this.#next(`${title}: ${entries.map(({ label }) => label)}`);
        return answer === undefined
          ? undefined
          : entries.filter(({ active }) => active === true).map(({ value }) => value);
      },
      input: async ({ title, value }) => this.#next(`${title}: ${value}`),
      chooseFolder: async (title) => this.#next(`folder: ${title}`),
    };
  }

  readonly #pick: Pick = async (entries, { title }) => {
    const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry] : []));
    const answer = this.#next(`${title}: ${items.map(({ label }) => label)}`);
    return items.find(({ label }) => label === answer)?.value;
  };

  #next(question: string): string | undefined {
    this.asked.push(question);
    return this.answers.shift();
  }
}

const folders = [{ name: 'repo', path: '/repo' }];
const elsewhere = { id: asSessionId('s'), title: 'Old talk', root: '/elsewhere' };

test('a project is made of a folder of the window, with a name, a repository and the session looked at', async () => {
  const stage = new Stage('repo', 'Shop', 'make', 'attach');
  const made = await newProjectFlow({ folders, session: elsewhere }, stage.context);
  assert.deepEqual([made?.name, made?.sessions], ['Shop', ['s']]);
  assert.deepEqual(stage.projects.repositories, [made?.id]);
  assert.deepEqual(stage.asked, [
    'New Project: repo,Other Folder…',
    'Name of the New Project: repo',
    'There is no git repository in /repo. Make one?',
    'Attach the session “Old talk” to the project?',
  ]);
});

test('no repository is made unless one says so, and none is asked about where one is', async () => {
  const without = new Stage('repo', 'Shop', 'without');
  assert.equal((await newProjectFlow({ folders }, without.context))?.name, 'Shop');
  assert.deepEqual(without.projects.repositories, []);
  const versioned = new Stage('repo', 'Shop');
  versioned.projects.versioned.add('/repo');
  assert.equal((await newProjectFlow({ folders }, versioned.context))?.name, 'Shop');
  assert.equal(versioned.asked.length, 2);
});

test('a session in the folder joins by itself and is not asked about', async () => {
  const stage = new Stage('repo', 'Shop', 'without');
  const session = { ...elsewhere, root: '/repo/part' };
  assert.equal((await newProjectFlow({ folders, session }, stage.context))?.name, 'Shop');
  assert.equal(stage.asked.length, 3);
});

test('given up at any question, nothing was done', async () => {
  const all = ['Other Folder…', '/repo', 'Shop', 'make', 'attach'];
  for (let given = 0; given < all.length; given++) {
    const stage = new Stage(...all.slice(0, given));
    const made = await newProjectFlow({ folders, session: elsewhere }, stage.context);
    assert.equal(made, undefined, `after ${given} answers`);
    assert.equal(stage.asked.length, given + 1);
    assert.deepEqual([stage.projects.list(), stage.projects.repositories], [[], []]);
  }
  assert.ok(await newProjectFlow({ folders, session: elsewhere }, new Stage(...all).context));
});

test('a folder of another project is refused; one that bears a mark is asked about', async () => {
  const project = fakeProject({ id: 'p', name: 'Old', workdir: '/old' });
  const taken = new Stage('/old');
  taken.projects.projectList.push(project);
  taken.projects.here = { kind: 'project', project };
  await assert.rejects(newProjectFlow({ folders: [] }, taken.context), (e) =>
    isUserError(e, 'usage'),
  );

  const moved = new Stage('repo', 'moved');
  moved.projects.projectList.push(project);
  moved.projects.here = { kind: 'unsure', project };
  assert.equal((await newProjectFlow({ folders }, moved.context))?.workdir, '/moved');
  assert.equal(moved.asked[1], '/repo may be the folder of the project Old, which was /old.');

  const copy = new Stage('repo', 'new', 'Copy', 'without');
  copy.projects.projectList.push(project);
  copy.projects.here = { kind: 'copy', project };
  assert.equal((await newProjectFlow({ folders }, copy.context))?.name, 'Copy');
  assert.equal(copy.asked[1], '/repo is a copy of /old, the folder of the project Old.');
});

test('auto-commit asks for a repository only where there is none and one is needed', async () => {
  const project = fakeProject({ id: 'p' });
  const start = (...answers: string[]) => {
    const stage = new Stage(...answers);
    stage.projects.projectList.push(project);
    return stage;
  };
  const picked = start('Agents’ work is committed where only the agent changed a file.', 'make');
  await autoCommitFlow(project, undefined, picked.context);
  assert.equal(picked.projects.get(project.id).autoCommit, 'agentPathsOnly');
  assert.deepEqual(picked.projects.repositories, ['p']);
  const givenUp = start();
  assert.equal(await autoCommitFlow(project, 'whenClean', givenUp.context), undefined);
  assert.equal(givenUp.projects.get(project.id).autoCommit, 'off');
  const without = start('without');
  await autoCommitFlow(project, 'whenClean', without.context);
  assert.deepEqual(
    [without.projects.get(project.id).autoCommit, without.projects.repositories],
    ['whenClean', []],
  );
  const same = start();
  assert.equal(await autoCommitFlow(project, 'off', same.context), undefined);
  assert.deepEqual(same.asked, []);
});

test('forgetting is asked about; importing makes what is picked', async () => {
  const stage = new Stage(undefined, 'forget', 'all');
  const project = fakeProject({ id: 'p' });
  stage.projects.projectList.push(project);
  assert.equal(await removeProjectFlow(project, stage.context), false);
  assert.equal(await removeProjectFlow(project, stage.context), true);
  assert.deepEqual(stage.projects.list(), []);
  stage.projects.candidates.push(
    { workdir: '/a/one', sessions: 2, isRepository: true },
    { workdir: '/a/two', sessions: 0, isRepository: true },
  );
  const made = await importProjectsFlow([], stage.context);
  assert.equal(made.length, 1);
  assert.equal(stage.asked.at(-1), 'Import Projects: one,two');
  assert.deepEqual(
    await importProjectsFlow([], new Stage().context).catch((e) => String(e)),
    'Error: Every folder with sessions, and every repository here, is a project already.',
  );
  assert.equal(stage.projects.get(asProjectId('project-1')).name, 'shop');
});
