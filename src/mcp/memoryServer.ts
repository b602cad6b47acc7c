/** The MCP server: tools of memory for any client, over whatever transport it is connected to. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { agentOfClient, type CallingAgent } from '../agents/callingAgent.ts';
import { memoryTools } from '../app/memoryTools.ts';
import type { TimelineApp } from '../app/timelineApp.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';

export interface ServerPlace {
  readonly app: TimelineApp;
  readonly version: string;
  /** Null: global memory only. */
  readonly root: Root | null;
  /** The agent that started the server, if it can be told. */
  readonly caller: CallingAgent | undefined;
  /** Never on stdout: that is the protocol's. */
  readonly log: (text: string) => void;
}

const instructions =
  'Notes that outlive a session. Recall before you ask what may be known; remember what a later session must know; forget what turned out wrong.';

export function memoryServer({ app, version, root, caller, log }: ServerPlace): Server {
  const server = new Server(
    { name: 'memcode-timeline', title: 'Memcode Timeline', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: memoryTools.map(({ name, title, description, input, changes }) => ({
      name,
      title,
      description,
      inputSchema: { ...input, type: 'object' as const },
      annotations: {
        readOnlyHint: !changes,
        destructiveHint: name === 'forget',
        openWorldHint: false,
      },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = memoryTools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new UserError('usage', `There is no tool ${params.name}.`);
    const agent = caller?.agent ?? agentOfClient(server.getClientVersion()?.name ?? 'unknown');
    const writer = { actor: 'agent', agent, session: caller?.session } as const;
    try {
      const { text, failed } = await tool.call(
        await app.memory(),
        { root, writer },
        params.arguments,
      );
      return { content: [{ type: 'text' as const, text }], isError: failed };
    } catch (error) {
      log(`${tool.name} failed: ${messageOf(error)}`);
      throw error;
    }
  });
  return server;
}
