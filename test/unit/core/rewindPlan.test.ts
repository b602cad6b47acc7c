/** What a rewind does at a path, for every combination of what was, what was left and what is there. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { choiceFor, decide, type PathFacts } from '../../../src/core/rewindPlan.ts';
import { absent, compareStates, type PathState } from '../../../src/core/state.ts';

const file = (sha256: string, mode = 0o644): PathState => ({ kind: 'file', mode, size: 1, sha256 });
const states: Readonly<Record<string, PathState>> = {
  absent,
  A: file('a'),
  B: file('b'),
  'A executable': file('a', 0o755),
  link: { kind: 'symlink', target: 'x' },
  folder: { kind: 'directory', mode: 0o755 },
  special: { kind: 'other' },
};

const facts = (more: Partial<PathFacts>): PathFacts => ({
  path: 'p',
  target: absent,
  verified: true,
  left: absent,
  present: absent,
  unsaved: false,
  hindrance: undefined,
  ...more,
});

test('nothing is written where the old state is there; nothing of somebody else without asking', () => {
  for (const [was, target] of Object.entries(states)) {
    for (const [agent, left] of Object.entries(states)) {
      for (const [now, present] of Object.entries(states)) {
        const decision = decide(facts({ target, left, present }));
        const name = `${was}, ${agent}, ${now}`;
        if (compareStates(target, present) === 'same') assert.equal(decision.kind, 'none', name);
        else if (compareStates(left, present) === 'different')
          assert.equal(decision.kind, 'conflict', name);
        else assert.equal(decision.kind, 'apply', name);
        if (decision.kind === 'conflict' || decision.kind === 'apply') {
          const act = now === 'absent' ? 'create' : was === 'absent' ? 'delete' : 'write';
          assert.equal(decision.act, was === now ? 'write' : act, name);
        }
      }
    }
  }
});

describe('decide', () => {
  const check = (what: string, more: Partial<PathFacts>, expected: object) =>
    it(what, () => {
      const decision = decide(facts(more)) as unknown as Record<string, unknown>;
      for (const [name, value] of Object.entries(expected)) {
        if (value instanceof RegExp) assert.match(String(decision[name]), value);
        else assert.deepEqual(decision[name], value);
      }
    });
  const changed = { target: file('a'), left: file('b'), present: file('b') };

  check('the agent’s state is there', changed, { kind: 'apply', act: 'write', unverified: false });
  check(
    'saved bytes without a hash',
    { ...changed, verified: false },
    { kind: 'apply', unverified: true },
  );
  check(
    'memcode: nobody knows what was left',
    { ...changed, left: undefined },
    { kind: 'apply', unverified: true },
  );
  check('a doubt', { ...changed, doubt: 'Somebody.' }, { kind: 'conflict', reason: 'Somebody.' });
  check(
    'a doubt where the old state is there',
    { ...changed, present: file('a'), doubt: 'x' },
    { kind: 'none' },
  );
  check(
    'another author',
    { ...changed, present: file('c'), author: 'Turn 2 of S.' },
    { kind: 'conflict', reason: 'Turn 2 of S.' },
  );
  check(
    'a hindrance',
    { ...changed, hindrance: 'No bytes.' },
    { kind: 'notRestorable', reason: 'No bytes.' },
  );
  check(
    'a hindrance where nothing is to be done',
    { ...changed, present: file('a'), hindrance: 'No bytes.' },
    { kind: 'none' },
  );
  check('unsaved', { ...changed, unsaved: true }, { kind: 'conflict', reason: /unsaved/ });
  check(
    'unsaved where the disk has the old state',
    { ...changed, present: file('a'), unsaved: true },
    { kind: 'conflict' },
  );
  check(
    'deleted since',
    { ...changed, present: absent },
    { kind: 'conflict', act: 'create', reason: /deleted/ },
  );
  check(
    'made again since',
    { target: file('a'), left: absent, present: file('c') },
    { kind: 'conflict', reason: /made again/ },
  );
  check(
    'a folder now',
    { ...changed, present: { kind: 'directory', mode: 0o755 } },
    { kind: 'conflict', reason: /a folder now; the agent had left a file/ },
  );
  check(
    'another mode',
    { ...changed, present: file('b', 0o755) },
    { kind: 'conflict', reason: /permissions/ },
  );
});

test('a choice for the path beats the one for all, and keep is the default', () => {
  const choices = new Map([['p', 'take' as const]]);
  assert.deepEqual(
    [
      choiceFor('p', choices, 'fail'),
      choiceFor('q', choices, 'fail'),
      choiceFor('q', choices, undefined),
    ],
    ['take', 'fail', 'keep'],
  );
});
