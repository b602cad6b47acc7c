import type { TurnCommit } from '../../core/autoCommit.ts';
import { UserError } from '../../core/errors.ts';
import type { CliContext, Opened } from '../cliContext.ts';
import { confirm } from '../confirm.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { counted } from '../previewText.ts';
import { findTurn } from '../selection.ts';
import { firstLine, styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';

/** New commits that take back what was committed of turns that were rewound; of one turn, or of all of the folder. */
export async function revertCommits(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const { app, root } = opened;
  const all = await app.projects.revertable(root);
  const wanted = call.argument(1);
  const turn =
    wanted === undefined ? undefined : findTurn(opened, context.settings.session, wanted).id;
  const commits = turn === undefined ? all : all.filter((commit) => commit.turn === turn);
  if (commits.length === 0)
    throw new UserError(
      'nothingToDo',
      'There is no commit to revert: only what is checked out, of turns that were taken back, is reverted.',
      { root },
    );
  const { out } = context;
  if (!out.json) for (const commit of commits) out.line(lineOf(commit));
  const question = `Revert ${commits.length === 1 ? 'this commit' : `these ${commits.length} commits`}? One new commit each; the files stay as they are.`;
  const would = { commits: commits.map(({ commit }) => commit) };
  if (!call.flag('yes') && !(await confirm(context, question, would))) return 1;
  const reverted = await app.projects.revertCommits(
    root,
    commits.map((commit) => commit.turn),
  );
  if (out.json) out.value({ reverted });
  else out.line(`Reverted ${counted(reverted.length, 'commit')}. The files stay as they are.`);
  return 0;

  function lineOf({ commit, branch, turn: id }: TurnCommit) {
    const { number, prompt } = app.turn(id);
    const hash = styled('green', (commit ?? '').slice(0, 8));
    return [hash, `  turn ${number} on ${branch ?? ''}: `, firstLine(prompt)];
  }
}

/** After files went back: what is committed of it stays, until somebody says otherwise. */
export async function tellCommits({ app, root }: Opened, { out }: CliContext): Promise<void> {
  const count = out.json ? 0 : (await app.projects.revertable(root)).length;
  if (count > 0)
    out.line(
      `${counted(count, 'commit')} of turns that were taken back ${count === 1 ? 'stays' : 'stay'}. To revert: memcode-timeline project revert-commits`,
    );
}
