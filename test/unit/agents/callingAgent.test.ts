import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentOfClient, agentOfEnvironment } from '../../../src/agents/callingAgent.ts';

test('an agent is known by what it puts into the environment', () => {
  const environments: readonly (readonly [NodeJS.ProcessEnv, unknown])[] = [
    [{}, undefined],
    [{ CLAUDECODE: '' }, undefined],
    [{ CLAUDECODE: '1' }, { agent: 'claude' }],
    [
      { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x' },
      { agent: 'claude', session: 'x' },
    ],
    [{ GEMINI_SESSION_ID: 'y' }, { agent: 'gemini', session: 'y' }],
    [{ COPILOT_CLI: '1' }, { agent: 'copilot' }],
    [{ OPENCODE: '1', OPENCODE_PID: '7' }, { agent: 'opencode' }],
    [{ CODEX_MANAGED_BY_NPM: '1' }, { agent: 'codex' }],
    [{ CLINE_BUILD_ENV: 'production' }, { agent: 'cline' }],
  ];
  for (const [environment, expected] of environments)
    assert.deepEqual(agentOfEnvironment(environment), expected, JSON.stringify(environment));
});

test('an agent is known by how its MCP client names itself', () => {
  const clients = {
    'claude-code': 'claude',
    'codex-mcp-client': 'codex',
    'gemini-cli-mcp-client': 'gemini',
    opencode: 'opencode',
    'GitHub Copilot': 'copilot',
    'Visual Studio Code': 'visual studio code',
  };
  for (const [client, agent] of Object.entries(clients)) assert.equal(agentOfClient(client), agent);
});
