import { applyConnection, planDisconnection } from '../../app/connector.ts';
import {
  agentArgument,
  agreed,
  connectionPlace,
  connectionValue,
  scopeOption,
} from '../connection.ts';
import { type Verb, yesOption } from '../verb.ts';

/** Takes our hooks out of an agent's configuration. */
export const disconnect: Verb = {
  name: 'disconnect',
  summary: 'take our hooks out of the configuration of an agent again',
  details: [
    'Shows the change and asks, unless --yes is given. What has been recorded stays and can still be rewound.',
  ],
  arguments: [agentArgument],
  options: [scopeOption, yesOption],
  examples: [{ line: 'disconnect claude', description: 'after asking' }],
  async run(call, context) {
    const plan = planDisconnection(connectionPlace(call, context));
    if (!(await agreed(context, plan, call.flag('yes')))) return 1;
    applyConnection(plan);
    const { out } = context;
    if (out.json) out.value(connectionValue(plan));
    else out.line(plan.changed ? `Disconnected: ${plan.file}` : `Was not connected: ${plan.file}`);
    return 0;
  },
};
