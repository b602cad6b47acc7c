/** The real clients: which version, how each is pointed at the scripted model, and how a turn is started. */
import fs from 'node:fs';
import path from 'node:path';

export type ClientName = 'claude' | 'codex' | 'gemini';

export interface Client {
  readonly name: ClientName;
  /** On npm. */
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  /** Writes what the client wants to be set up before its first run, without touching what is there. */
  readonly prepare: (home: string, project: string) => void;
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** Arguments for one turn. @param resume goes on with the last session of the project. */
  readonly args: (prompt: string, modelUrl: string, resume: boolean) => readonly string[];
}

export const clients: Readonly<Record<ClientName, Client>> = {
  claude: {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    bin: 'claude',
    prepare: () => undefined,
    env: (modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'dummy-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: (prompt, _modelUrl, resume) => [
      '-p',
      prompt,
      ...(resume ? ['--continue'] : []),
      '--allowedTools',
      'Read,Edit,Write,Bash,Agent,NotebookEdit',
      '--output-format',
      'json',
    ],
  },
  codex: {
    name: 'codex',
    package: '@openai/codex',
    version: '0.171.0',
    bin: 'codex',
    prepare: (home, project) => {
      const table = `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`;
      const file = path.join(home, '.codex/config.toml');
      if (!fs.existsSync(file)) write(file, table);
    },
    env: () => ({ SCRIPTED_KEY: 'dummy-key' }),
    args: (prompt, modelUrl, resume) => [
      'exec',
      '--json',
      // Stands for the person who has looked at /hooks and said yes.
      '--dangerously-bypass-hook-trust',
      ...codexSettings(modelUrl).flatMap(([key, value]) => [
        '-c',
        `${key}=${JSON.stringify(value)}`,
      ]),
      ...(resume ? ['resume', '--last'] : []),
      prompt,
    ],
  },
  gemini: {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    prepare: (home) => {
      const file = path.join(home, '.gemini/settings.json');
      if (!fs.existsSync(file)) write(file, `${JSON.stringify(geminiSettings, null, 2)}\n`);
    },
    env: (modelUrl) => ({
      GEMINI_API_KEY: 'dummy-key',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    args: (prompt, _modelUrl, resume) => [
      '-p',
      prompt,
      ...(resume ? ['--resume', 'latest'] : []),
      '--approval-mode',
      'yolo',
      '-o',
      'json',
    ],
  },
};

const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

function codexSettings(modelUrl: string): readonly (readonly [string, string | boolean])[] {
  return [
    // A name it does not know would get no apply_patch tool.
    ['model', 'gpt-6.2-sol'],
    ['model_provider', 'scripted'],
    ['model_providers.scripted.name', 'scripted'],
    ['model_providers.scripted.base_url', `${modelUrl}/v1`],
    ['model_providers.scripted.env_key', 'SCRIPTED_KEY'],
    ['model_providers.scripted.wire_api', 'responses'],
    ['approval_policy', 'never'],
    ['sandbox_mode', 'danger-full-access'],
    ['check_for_update_on_startup', false],
    ['analytics.enabled', false],
  ];
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
