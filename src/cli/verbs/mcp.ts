import type { Verb } from '../verb.ts';

/** What MCP clients start. */
export const mcp: Verb = {
  name: 'mcp',
  summary: 'serve memory to an MCP client over standard input and output; started by clients',
  details: [
    'Tools: remember, recall, forget. For the project of the folder the client starts it in, or of --root; in your home folder for global notes only. Ends when the client closes its end.',
    'To give it to a client, name this command in its list of servers: memcode-timeline mcp',
  ],
  arguments: [],
  options: [],
  examples: [{ line: 'mcp --root ~/code/shop', description: 'the memory of that folder' }],
  async run(_call, context) {
    await context.host.runMcp(context.folder, (text) => {
      if (context.settings.verbose) context.out.note(text);
    });
    return 0;
  },
};
