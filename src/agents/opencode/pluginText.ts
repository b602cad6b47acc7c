/** The plugin that opencode loads from its plugins folder: it hands what it is told to our hook, and never stands in the way. Pure. */
import type { HookCommand } from '../hookCommand.ts';

/** Milliseconds that a hook may take; opencode itself would wait for ever. */
const longest = 10_000;
const mark =
  '// Memcode Timeline: records what opencode does to files, so that it can be taken back.';

/** Byte-stable, whatever our version. */
export function pluginText(command: HookCommand): string {
  const [program, args] =
    command.platform === 'win32'
      ? ['powershell.exe', ['-NoProfile', '-Command', command.powershell]]
      : ['/bin/sh', ['-c', command.sh]];
  return `${mark}
// Written by "connect opencode"; "disconnect opencode" takes it away.
import { spawn } from 'node:child_process';

const program = ${JSON.stringify(program)};
const args = ${JSON.stringify(args)};
const events = /^session\\.(?:created|idle|error|deleted)$/;

export const MemcodeTimeline = async ({ directory }) => {
  const tell = (facts) =>
    new Promise((resolve) => {
      let answer = '';
      try {
        const told = JSON.stringify({ directory, ...facts });
        const child = spawn(program, args, { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'] });
        child.stdout.setEncoding('utf8').on('data', (text) => {
          answer += text;
        });
        // Whatever goes wrong with us, opencode goes on.
        const timer = setTimeout(() => {
          child.kill();
          child.stdout.destroy();
          resolve('');
        }, ${longest});
        const end = (said) => {
          clearTimeout(timer);
          resolve(said);
        };
        child.on('error', () => end(''));
        child.on('close', () => end(answer));
        child.stdin.on('error', () => {});
        child.stdin.end(told);
      } catch {
        resolve('');
      }
    });
  // What the model is to read goes behind the prompt, marked as not the person's.
  const add = (answer, parts) => {
    try {
      const { additionalContext: text } = JSON.parse(answer);
      const { id, sessionID, messageID } = parts.at(-1);
      parts.push({ id: id + 'm', sessionID, messageID, type: 'text', text, synthetic: true });
    } catch {
      // There is nothing to say.
    }
  };
  return {
    event: async ({ event }) => {
      if (events.test(event.type)) await tell({ hook: 'event', event });
    },
    'chat.message': async (input, output) => {
      add(await tell({ hook: 'chat.message', input, output }), output.parts);
    },
    'tool.execute.before': async (input, output) => {
      await tell({ hook: 'tool.execute.before', input, output });
    },
    'tool.execute.after': async (input) => {
      await tell({ hook: 'tool.execute.after', input });
    },
  };
};
`;
}

/** Whether a plugin's file is ours, of whatever version. */
export function isOurPlugin(text: string): boolean {
  return text.startsWith(mark);
}
