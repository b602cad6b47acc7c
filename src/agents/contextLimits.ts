/** What an agent takes of a text that a hook gives it, and what it reads without us (agents/README 4). Pure. */

export interface ContextLimits {
  /** UTF-16 code units of one text; longer ones are cut, or hidden in a file. */
  readonly characters: number;
  /** Names of documents that it reads by itself. */
  readonly ownDocuments: readonly string[];
  /** One that it reads where `ownDocuments` are missing everywhere. */
  readonly spareDocument?: string;
  /** It fills in `@path` imports of these too. */
  readonly fillsImports: boolean;
}

/** Below what was seen to arrive whole. */
const cautious = 8_800;
const roomy = 39_000;

const own = (...names: readonly string[]) =>
  names.flatMap((name) => [name, name.replace('.md', '.local.md')]);

const limits: ReadonlyMap<string, ContextLimits> = new Map<string, ContextLimits>([
  [
    'claude',
    {
      characters: cautious,
      ownDocuments: own('CLAUDE.md'),
      spareDocument: 'AGENTS.md',
      fillsImports: true,
    },
  ],
  ['codex', { characters: cautious, ownDocuments: ['AGENTS.md'], fillsImports: false }],
  ['gemini', { characters: roomy, ownDocuments: ['GEMINI.md'], fillsImports: true }],
  [
    'copilot',
    {
      characters: roomy,
      ownDocuments: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
      fillsImports: false,
    },
  ],
  [
    'opencode',
    {
      characters: roomy,
      ownDocuments: ['AGENTS.md'],
      spareDocument: 'CLAUDE.md',
      fillsImports: false,
    },
  ],
  ['cursor', { characters: cautious, ownDocuments: ['AGENTS.md'], fillsImports: false }],
  ['vscode', { characters: cautious, ownDocuments: ['AGENTS.md'], fillsImports: false }],
]);

const unknown: ContextLimits = { characters: cautious, ownDocuments: [], fillsImports: false };

export function contextLimits(agent: string): ContextLimits {
  return limits.get(agent) ?? unknown;
}
