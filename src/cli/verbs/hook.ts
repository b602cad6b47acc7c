import type { Verb } from '../verb.ts';

/** What agents call. The fast way in is `main.ts`, which never gets here for a plain `hook` call. */
export const hook: Verb = {
  name: 'hook',
  summary: 'record one event of an agent: its JSON on stdin; called by agents, not by people',
  details: [
    'Always ends with status 0 and prints nothing but what the agent is meant to read: an agent must never fail because of its recorder. What went wrong is in hook.log in the home store.',
  ],
  arguments: [
    { name: '[agent]', description: 'who calls; found out from the JSON when it is missing' },
    { name: '[event]', description: 'what happened, for agents whose JSON does not say' },
  ],
  options: [],
  examples: [{ line: 'hook claude < event.json', description: 'as an agent would; see `connect`' }],
  async run(call, context) {
    const [agent, event] = [call.argument(0), call.argument(1)];
    await context.host.runHook([agent, event].filter((word) => word !== undefined));
    return 0;
  },
};
