/** opencode's plugins folder. A file of our own in it: nothing of the person's is changed. */
import type { HookConfig } from '../hookConfig.ts';
import { isOurPlugin, pluginText } from './pluginText.ts';

export const opencodeHookConfig: HookConfig = {
  agent: 'opencode',
  name: 'opencode',
  folder: '.config/opencode',
  projectFolder: '.opencode',
  file: 'plugins/memcode-timeline.js',
  whole: { text: pluginText, isOurs: isOurPlugin },
  notes: () => [
    'opencode loads plugins when it starts: start it again.',
    'What a subagent does is recorded as a session of its own.',
  ],
};
