/** The tools of memory for language models in VS Code: the same ones that MCP clients have. */
import * as vscode from 'vscode';
import type { Root } from '../core/ids.ts';
import { toolIds } from './names.ts';
import type { TimelineHub } from './timelineHub.ts';

export interface LanguageToolsOptions {
  readonly hub: TimelineHub;
  readonly root: () => Root | null;
}

/** How VS Code's own agents are called where writes say whose they are. */
const agent = 'vscode';

export function registerLanguageTools(options: LanguageToolsOptions): vscode.Disposable {
  const registrations = Object.entries(toolIds).map(([name, id]) =>
    vscode.lm.registerTool(id, {
      invoke: async ({ input }) => {
        const text = await answerOf(name, input, options);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    }),
  );
  return vscode.Disposable.from(...registrations);
}

/** What did not work is said in the answer, as the other hosts of these tools do. */
async function answerOf(
  name: string,
  input: unknown,
  { hub, root }: LanguageToolsOptions,
): Promise<string> {
  const { app } = await hub.opened();
  const [memory, { memoryTools }] = await Promise.all([
    app.memory(),
    import('../app/memoryTools.ts'),
  ]);
  const tool = memoryTools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  if (tool.changes && !vscode.workspace.isTrusted)
    return 'This workspace is not trusted: nothing can be remembered or forgotten from it.';
  const caller = { root: root(), writer: { actor: 'agent', agent } as const };
  return (await tool.call(memory, caller, input)).text;
}
