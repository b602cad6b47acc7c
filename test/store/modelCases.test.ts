/** Sequences that the model has found a fault with, each cut down to what shows it. */
import { test } from 'node:test';
import { runSteps } from '../helpers/modelRun.ts';
import type { Step } from '../helpers/modelSteps.ts';

function check(name: string, steps: readonly Step[]): void {
  test(name, () => runSteps(steps));
}

check('a turn nobody has taken in yet goes with the ones around it', [
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'rewind', by: 0, pick: 0, force: true },
]);

check('a turn ends although a path below a file it saved was named', [
  { do: 'edit', by: 1, on: [['a', 'same']] },
  { do: 'edit', by: 1, on: [['a/q', 'line0']] },
  { do: 'end', by: 1, how: 'stop' },
]);

check('a folder the turn made and then named goes with it', [
  { do: 'edit', by: 1, on: [['l/x', 'line0']] },
  { do: 'edit', by: 1, on: [['l', 'same']] },
  { do: 'end', by: 1, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 1, pick: 0, undo: 2 },
]);

check('edits after a turn was reverted are a turn of their own', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'sessionEnd' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'edit', by: 0, on: [['b', 'line0']] },
]);

check('undoing operations out of order leaves each turn marked by what took it back', [
  { do: 'edit', by: 0, on: [['a', 'link d']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0, undo: 1 },
  { do: 'rewind', by: 0, pick: 0 },
  { do: 'redo', pick: 1, undo: 1 },
  { do: 'redo', pick: 2, undo: 2 },
]);

check('no number comes twice when the state that hooks share was lost', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'prompt', by: 0 },
  { do: 'loseLive', by: 0 },
  { do: 'edit', by: 0, on: [['b', 'line0']] },
]);

check('a merge takes back a mode that nobody else changed', [
  { do: 'edit', by: 0, on: [['b', 'chmod']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'user', on: [['b', 'line1']] },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0, undo: 1 },
]);

check('a merge that changes nothing is no merge', [
  { do: 'edit', by: 0, on: [['b', 'line0']] },
  { do: 'user', on: [['b', 'line2']] },
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'user', on: [['b', 'old']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0, undo: 1 },
]);

check('a folder the turn made for a file that is gone again goes', [
  { do: 'edit', by: 0, on: [['d/x', 'write']] },
  { do: 'edit', by: 0, on: [['l/x', 'write']] },
  { do: 'edit', by: 0, on: [['l/x', 'delete']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0, undo: 2 },
]);

check('so does one that is all the turn left', [
  { do: 'edit', by: 0, on: [['l/x', 'write']] },
  { do: 'edit', by: 0, on: [['l/x', 'delete']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0, undo: 2 },
]);

check('what another session wrote between two edits of a turn is a conflict', [
  { do: 'edit', by: 0, on: [['a', 'append']] },
  { do: 'edit', by: 1, on: [['a', 'line0']] },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'rewind', by: 0, pick: 0 },
  { do: 'rewind', by: 0, pick: 0, conflicts: 'take', undo: 2 },
]);

check('so is what a person wrote between two turns, however many turns come after', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'user', on: [['a', 'line1']] },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 2 },
]);

check('a folder with folders that became a file becomes one again, and back', [
  { do: 'edit', by: 0, on: [['d', 'file']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0, undo: 2 },
  { do: 'rewind', by: 0, pick: 0, undo: 2 },
]);

check('a folder in conflict is kept although the rewind empties it', [
  { do: 'edit', by: 0, on: [['d/x', 'line1']] },
  { do: 'edit', by: 1, on: [['d/x', 'delete']] },
  { do: 'edit', by: 0, on: [['d/x', 'folder']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0, undo: 2 },
]);

check('a folder that comes back for what is in it is not told to be deleted', [
  { do: 'edit', by: 0, on: [['d/y/z', 'link b']] },
  { do: 'edit', by: 1, on: [['d/y', 'delete']] },
  { do: 'edit', by: 0, on: [['d/y', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0, conflicts: 'take', undo: 2 },
]);

check('a rewind over a reverted turn leaves nothing of it for the next one', [
  { do: 'edit', by: 0, on: [['b', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'rewind', by: 0, pick: 1 },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 3 },
]);

check('a folder others removed comes back with a file in it, and is told to', [
  { do: 'edit', by: 0, on: [['d/y', 'chmod']] },
  { do: 'edit', by: 0, on: [['d/y/z', 'old']], untold: true },
  { do: 'edit', by: 1, on: [['d/y', 'delete']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0, undo: 2 },
]);

check('what lies behind a link the agent makes is not what the agent left there', [
  { do: 'edit', by: 0, on: [['b', 'line2']] },
  { do: 'user', on: [['b', 'line0']] },
  { do: 'edit', by: 0, on: [['a', 'link b']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a link that leads to itself stands in the place of a folder', [
  { do: 'edit', by: 0, on: [['d', 'file']] },
  { do: 'edit', by: 1, on: [['d', 'link d']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0, conflicts: 'take', undo: 2 },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a folder others bring back is not removed for a file that was never made in it', [
  { do: 'edit', by: 0, on: [['d', 'delete']] },
  { do: 'edit', by: 1, on: [['d/y', 'none']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'prompt', by: 1 },
  { do: 'revert', by: 1, pick: 0 },
]);

check('what is written through a link others have made is what the agent left', [
  { do: 'edit', by: 1, on: [['d/x', 'line1']] },
  { do: 'edit', by: 0, on: [['d/x', 'link b']] },
  { do: 'edit', by: 1, on: [['d/x', 'line0']] },
  { do: 'user', on: [['d/x', 'line0']] },
]);

check('a command removes what lay below a file that the turn had made a folder', [
  { do: 'edit', by: 0, on: [['d/x', 'link nowhere']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'edit', by: 0, on: [['d/x', 'folder']] },
  {
    do: 'shell',
    by: 0,
    on: [
      ['d/x', 'delete'],
      ['a', 'line1'],
    ],
  },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'user', on: [['a', 'old']] },
  { do: 'redo', pick: 0 },
]);

check('a folder that an agent named and another made stays when the first one’s turn goes', [
  { do: 'prompt', by: 0 },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'edit', by: 0, on: [['l/x', 'none']] },
  { do: 'edit', by: 1, on: [['l/x', 'line0']] },
  { do: 'rewind', by: 0, pick: 0, conflicts: 'take' },
]);

check('what a command leaves is all there is of it', [
  {
    do: 'shell',
    by: 0,
    on: [
      ['l', 'line1'],
      ['l', 'folder'],
    ],
  },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a folder that another made after an edit that left nothing in it is no own one', [
  { do: 'edit', by: 0, on: [['a', 'delete']] },
  { do: 'edit', by: 1, on: [['a/q', 'delete']] },
  { do: 'shell', by: 0, on: [['a/q', 'line2']] },
  { do: 'edit', by: 1, on: [['a', 'delete']] },
  { do: 'prompt', by: 0 },
  { do: 'redo', pick: 0 },
]);

check('a turn that put a link in the place of a folder with files in it is reverted alone', [
  { do: 'shell', by: 0, on: [['d', 'prune']] },
  {
    do: 'edit',
    by: 0,
    on: [
      ['d/y', 'link ../outside'],
      ['d', 'folder'],
    ],
  },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'edit', by: 0, on: [['a', 'old']] },
  { do: 'prompt', by: 0 },
  { do: 'redo', pick: 0 },
  { do: 'prompt', by: 0 },
]);

check('what was saved once is told again by a call that makes the way to it anew', [
  { do: 'edit', by: 0, on: [['b', 'folder']] },
  { do: 'edit', by: 0, on: [['b', 'delete']] },
  { do: 'edit', by: 0, on: [['b', 'link ../outside']] },
  { do: 'edit', by: 0, on: [['b', 'folder']] },
  { do: 'end', by: 0, how: 'stop' },
]);

check('a folder that was missing for an edit nobody told of goes with what is in it', [
  { do: 'edit', by: 0, on: [['n/m', 'prune']], untold: true },
  { do: 'shell', by: 1, on: [['n/m', 'link d']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a folder that was taken back and brought back is still the turn’s', [
  { do: 'edit', by: 0, on: [['l/x', 'write']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
  { do: 'redo', pick: 0 },
  { do: 'rewind', by: 0, pick: 0 },
]);

check(
  'what an operation put back in the middle of a turn is nobody’s work: a restore over a link',
  [
    {
      do: 'edit',
      by: 0,
      on: [
        ['a', 'line0'],
        ['a', 'link nowhere'],
      ],
    },
    { do: 'ingest' },
    { do: 'restore', by: 0, pick: 0, path: 'a', side: 'before' },
    {
      do: 'edit',
      by: 0,
      on: [
        ['a', 'link ../outside/canary'],
        ['a', 'line0'],
      ],
    },
    { do: 'redo', pick: 0 },
    { do: 'end', by: 0, how: 'stop' },
    { do: 'redo', pick: 0 },
    { do: 'end', by: 0, how: 'stop' },
    { do: 'rewind', by: 0, pick: 0 },
  ],
);

check('a revert in the middle of a later turn', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 1 },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a restore to before the turn before', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'ingest' },
  { do: 'restore', by: 0, pick: 1, path: 'a', side: 'before' },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 1 },
]);

check('a restore to before the turn', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'ingest' },
  { do: 'restore', by: 0, pick: 0, path: 'a', side: 'before' },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('a reverted turn stays reverted when a later one is taken back', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 1 },
  { do: 'rewind', by: 0, pick: 0 },
]);

check('what an undo brought back stays when a later turn is reverted', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 1 },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'redo', pick: 0, conflicts: 'merge' },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 1 },
]);

check('the copy of a checkpoint goes when a late edit leaves no change', [
  { do: 'edit', by: 0, on: [['l', 'append']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'edit', by: 0, on: [['l', 'delete']] },
  { do: 'prompt', by: 0 },
]);

check('what is written through a link that an edit nobody told of made is told', [
  { do: 'edit', by: 0, on: [['b', 'line0']] },
  {
    do: 'edit',
    by: 0,
    on: [
      ['l', 'link b'],
      ['a', 'line0'],
    ],
    untold: true,
  },
  { do: 'edit', by: 0, on: [['l', 'append']] },
  { do: 'wait' },
  { do: 'prompt', by: 0 },
  { do: 'redo', pick: 0 },
  { do: 'edit', by: 0, on: [['a', 'link ../outside/canary']] },
  { do: 'user', on: [['a', 'delete']] },
]);

check('nor does a revert of the later turn bring it back', [
  { do: 'edit', by: 0, on: [['a', 'line0']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'edit', by: 0, on: [['a', 'line1']] },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 1 },
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'end', by: 0, how: 'stop' },
  { do: 'ingest' },
  { do: 'revert', by: 0, pick: 0 },
]);

check('what was done last about an operation says whether it stands', [
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'revert', by: 0, pick: 0, undo: 2 },
  { do: 'redo', pick: 5, undo: 1 },
  { do: 'redo', pick: 7 },
]);

check('so it does when an undo is undone that was not the last one', [
  { do: 'edit', by: 0, on: [['a', 'line2']] },
  { do: 'ingest' },
  { do: 'prompt', by: 0 },
  { do: 'revert', by: 0, pick: 0 },
  { do: 'redo', pick: 0 },
  { do: 'redo', pick: 0 },
  { do: 'redo', pick: 2 },
  { do: 'redo', pick: 1 },
  { do: 'redo', pick: 1 },
]);
