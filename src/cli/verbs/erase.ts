import { confirm } from '../confirm.ts';
import { counted } from '../previewText.ts';
import { type Verb, yesOption } from '../verb.ts';

/** Erases what is kept of a folder. */
export const erase: Verb = {
  name: 'erase',
  summary: 'erase everything kept of this folder: saved states, prompts, replies, redo points',
  details: [
    'Your files stay as they are, and so does what the memcode agent itself has stored. It cannot be taken back.',
    'Disconnect your agents first, or their next turn is recorded again.',
  ],
  arguments: [],
  options: [yesOption],
  examples: [{ line: 'erase', description: 'after asking' }],
  async run(call, context) {
    const { app, root } = await context.open();
    const sessions = app.sessions(root);
    const turns = sessions.reduce((sum, session) => sum + session.turns, 0);
    const what = `${counted(turns, 'turn')} of ${counted(sessions.length, 'session')}`;
    const question = `Erase ${what} in ${root} for good?`;
    const would = { root, sessions: sessions.length, turns };
    if (!call.flag('yes') && !(await confirm(context, question, would))) return 1;
    const report = await app.erase(root);
    const { out } = context;
    if (out.json) out.value({ root, ...report });
    else out.line(`Erased ${what} in ${root}. Your files are as they were.`);
    return 0;
  },
};
