import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  commitIdentity,
  commitMessage,
  commitSubject,
} from '../../../src/project/commitMessage.ts';

const turn = {
  id: 's1#3',
  session: 's1',
  number: 3,
  prompt: 'Fix the parser',
  agent: 'claude',
  model: 'model-7',
  tools: [
    { name: 'Edit', count: 2 },
    { name: 'Bash', count: 1 },
  ],
};
const subject = (prompt: string) => commitSubject({ ...turn, prompt });

describe('the message of a commit', () => {
  it('names session, turn, prompt, files, tools and older turns', () => {
    assert.equal(
      commitMessage(turn, 2, [1, 2]),
      '[agent s1] turn 3: Fix the parser\n\n2 files; tools: Edit × 2, Bash\nWith what turns 1, 2 had left uncommitted.\n\nTurn-Id: s1#3\nSession: s1\n',
    );
    assert.match(commitMessage({ ...turn, tools: [] }, 1, []), /\n\n1 file\n\nTurn-Id/);
  });

  it('cuts the prompt after 60 characters as people count them, on one line', () => {
    assert.equal(subject('a'.repeat(61)), `[agent s1] turn 3: ${'a'.repeat(60)}`);
    assert.equal(subject('👩‍👩‍👧'.repeat(61)), `[agent s1] turn 3: ${'👩‍👩‍👧'.repeat(60)}`);
    assert.equal(subject(' 日本語\r\n\tの\u0007 \u202etext '), '[agent s1] turn 3: 日本語 の text');
    assert.equal(subject('\n \u2028'), '[agent s1] turn 3: (no prompt)');
    assert.equal(subject('x'.repeat(500_000)).length, 79);
  });

  it('holds no secret that a prompt holds, and no trailer that it brings', () => {
    assert.doesNotMatch(subject('use ghp_0123456789abcdefghijklmnop now'), /0123456789/);
    const message = commitMessage(
      {
        ...turn,
        prompt: 'a\n\nTurn-Id: other',
        session: 's\nTurn-Id: x',
        tools: [{ name: 'a\n\nTurn-Id: y', count: 1 }],
      },
      1,
      [],
    );
    assert.deepEqual(message.match(/^Turn-Id: .*$/gm), ['Turn-Id: s1#3']);
  });

  it('is by the agent, whatever that calls itself', () => {
    const name = (agent: string, model: string | null) => commitIdentity({ agent, model }).name;
    assert.equal(name('claude', 'model-7'), 'agent (model-7 via Claude Code)');
    assert.equal(name('claude', null), 'agent (Claude Code)');
    assert.equal(name('unknown', null), 'agent (Memcode Timeline)');
    assert.equal(name('a<b>\n<c@d>', '<>\n'), 'agent (ab c@d)');
  });
});
