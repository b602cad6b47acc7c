import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolCall } from '../../../src/agents/toolCall.ts';

const patch = '*** Begin Patch\n*** Update File: a.js\n*** End Patch';

function check(tool: string, input: unknown, toolClass: string, ...paths: readonly string[]): void {
  const call = toolCall(tool, input);
  assert.deepEqual([call.toolClass, ...call.paths], [toolClass, ...paths], tool);
}

test('where paths hide', () => {
  check('Edit', { file_path: '/r/a' }, 'write', '/r/a');
  check('create_file', { filePath: '/r/a' }, 'write', '/r/a');
  check('create', { path: '/r/a' }, 'write', '/r/a');
  check('NotebookEdit', { notebook_path: '/r/n.ipynb' }, 'write', '/r/n.ipynb');
  check(
    'x',
    { replacements: [{ filePath: '/r/a' }, { filePath: '/r/b' }] },
    'write',
    '/r/a',
    '/r/b',
  );
  check('x', { files: [{ path: 'a' }, 'b', 7, null, ['c']] }, 'write', 'a', 'b');
  for (const name of ['command', 'input', 'patchText', 'patch']) {
    check('apply_patch', { [name]: patch }, 'write', 'a.js');
  }
  check('apply_patch', patch, 'write', 'a.js');
  check('Edit', '{"path":"/r/a"}', 'write', '/r/a');
  check('str_replace_editor', { command: 'create', path: '/r/a' }, 'write', '/r/a');
});

test('unknown tools', () => {
  check('mcp__fs__write_file', { path: '/r/a', content: 'x' }, 'write', '/r/a');
  check('mcp__fs__move_file', { source: '/r/a', destination: '/r/b' }, 'write', '/r/a', '/r/b');
  check('mcp__serena__replace', { relative_path: 'src/a' }, 'write', 'src/a');
  check('mcp__x__upload', { file: 'two\nlines' }, 'other');
  check('mcp__x__run', { command: 'make' }, 'shell');
  check('mcp__x__ask', { question: 'why' }, 'other');
});

test('tools that only look have no paths', () => {
  for (const tool of ['Read', 'read_file', 'Grep', 'Glob', 'LS', 'view', 'list_directory']) {
    check(tool, { path: '/r/a', file_path: '/r/a' }, 'other');
  }
  assert.equal(toolCall('Read', { file_path: '/r/a' }).summary, '/r/a');
  assert.equal(toolCall('Grep', { path: '/r', pattern: 'x+' }).summary, 'x+');
});

test('shells', () => {
  check('Bash', { command: 'ls' }, 'shell');
  check('run_shell_command', { command: 'ls', dir_path: 'src' }, 'shell');
  check('PowerShell', 'dir', 'shell');
  check('Bash', { command: `apply_patch <<'E'\n${patch}\nE` }, 'write', 'a.js');
  check('Bash', { command: `make; apply_patch <<'E'\n${patch}\nE` }, 'shell', 'a.js');
  check('shell', { command: ['bash', '-lc', `apply_patch <<'E'\n${patch}\nE`] }, 'write', 'a.js');
  check('Bash', { command: 7 }, 'shell');
  check('mcp__x__execute_command', { command: 'make', path: '/r' }, 'shell');
});

test('summaries are one short line', () => {
  const summary = (command: string) => toolCall('Bash', { command }).summary ?? '';
  assert.equal(summary('a\n  b\u001b[1m\tc '), 'a b [1m c');
  assert.equal(summary('x'.repeat(300)), `${'x'.repeat(199)}…`);
  assert.equal(summary(`${'x'.repeat(198)}😀😀`), `${'x'.repeat(198)}…`);
  assert.equal(toolCall('Edit', { file_path: '/r/a' }).summary, undefined);
});

test('impossible paths are left out', () => {
  check('Edit', { file_path: 'a\0b' }, 'other');
  check('Edit', { file_path: 'x'.repeat(100_000) }, 'other');
  check('Edit', { file_path: ' lead and trail ' }, 'write', ' lead and trail ');
});

test('whether a command only reads, or goes on, is told from the whole of it', () => {
  const flags = (command: string, more: object = {}, tool = 'Bash') => {
    const { readOnly = false, background = false } = toolCall(tool, { command, ...more });
    return [readOnly, background];
  };
  const [plain, reads, goesOn] = [
    [false, false],
    [true, false],
    [false, true],
  ];
  assert.deepEqual(flags('make'), plain);
  assert.deepEqual(flags('git status'), reads);
  assert.deepEqual(flags('git status\nrm -rf src'), plain);
  assert.deepEqual(flags(`cat ${'a '.repeat(150)}\nrm b`), plain);
  assert.deepEqual(flags('tail -f log', { run_in_background: true }), goesOn);
  assert.deepEqual(flags('npm start', { is_background: true }, 'run_shell_command'), goesOn);
  assert.deepEqual(flags('watch', {}, 'Monitor'), goesOn);
  for (const command of ['server &', 'nohup server', '(server &) ; sleep 1', 'a & b', 'setsid x'])
    assert.deepEqual(flags(command), goesOn, command);
  for (const command of [
    'a && b',
    'make 2>&1 | tee log',
    'make &> log',
    'make >& log',
    'curl "http://x/?a=1&b=2"',
    "sed 's/a/&&/' x",
    "python3 - <<'EOF'\nprint(1 & 2)\nEOF",
    'a |& b',
  ])
    assert.deepEqual(flags(command), plain, command);
});
