/** What can happen in a random sequence, as plain data: a sequence that found a fault is kept as it was printed. */
import fc from 'fast-check';
import type { ConflictChoice } from '../../src/core/timeline.ts';

/** One of two sessions, each of another agent. */
export type Who = 0 | 1;

/** `line…` and `append` keep the other lines, so that changes of several writers merge. */
export type Change =
  | 'line0'
  | 'line1'
  | 'line2'
  | 'append'
  /** A new file in the place of whatever file or link there was. */
  | 'write'
  /** The same bytes again. */
  | 'same'
  /** Bytes that were there before. */
  | 'old'
  | 'delete'
  /** And its folders, when that leaves them empty. */
  | 'prune'
  | 'chmod'
  | `link ${string}`
  /** A file or link becomes a folder with a file in it. */
  | 'folder'
  /** A folder becomes a file. */
  | 'file'
  /** The tool was refused, or failed. */
  | 'none';

export type Act = readonly [path: string, change: Change];

interface Choices {
  readonly conflicts?: ConflictChoice;
  readonly partial?: true;
  /** Also for a turn that still runs. */
  readonly force?: true;
  /** Taken back at once, and that again. */
  readonly undo?: 1 | 2;
}

export type Step =
  | { readonly do: 'prompt'; readonly by: Who }
  /** One call of the edit tool. `untold`: its end is never heard of. */
  | { readonly do: 'edit'; readonly by: Who; readonly on: readonly Act[]; readonly untold?: true }
  /** A command. `blind`: without snapshots, so that only the turn's own files are watched. */
  | { readonly do: 'shell'; readonly by: Who; readonly on: readonly Act[]; readonly blind?: true }
  /** Whoever did it did not tell us. */
  | { readonly do: 'unheard'; readonly on: readonly Act[] }
  | { readonly do: 'user'; readonly on: readonly Act[] }
  | { readonly do: 'end'; readonly by: Who; readonly how: 'stop' | 'interrupt' | 'sessionEnd' }
  | ({ readonly do: 'rewind' | 'revert'; readonly by: Who; readonly pick: number } & Choices)
  | ({
      readonly do: 'restore';
      readonly by: Who;
      readonly pick: number;
      readonly path: string;
      readonly side: 'before' | 'after';
    } & Choices)
  | ({ readonly do: 'redo'; readonly pick: number } & Choices)
  | { readonly do: 'ingest' | 'restart' | 'wait' }
  /** The state that hooks share is gone; the timeline is opened anew after it. */
  | { readonly do: 'loseLive'; readonly by: Who };

export type OperationStep = Extract<Step, Choices>;

const names = ['a', 'b', 'l', 'd', 'd/x', 'd/y', 'd/y/z', 'a/q', 'l/x', 'n/m'];
const few = ['a', 'b', 'd/x'];

const changes: readonly [number, Change][] = [
  [6, 'line0'],
  [4, 'line1'],
  [4, 'line2'],
  [1, 'append'],
  [3, 'write'],
  [1, 'same'],
  [2, 'old'],
  [3, 'delete'],
  [1, 'prune'],
  [2, 'chmod'],
  [1, 'link b'],
  [1, 'link d'],
  [1, 'link nowhere'],
  [1, 'link ../outside'],
  [1, 'link ../outside/canary'],
  [2, 'folder'],
  [1, 'file'],
  [1, 'none'],
];

/**
 * Some sequences stay with a few paths, so that turns meet each other; others see all kinds of them; others are whole turns
 * that change the lines of one file, with operations between and within them.
 */
export function stepsArbitrary(): fc.Arbitrary<readonly Step[]> {
  const length = { minLength: 5, maxLength: 30, size: 'max' } as const;
  return fc.oneof(
    fc.array(stepArbitrary(few), length),
    fc.array(stepArbitrary(names), length),
    fc.array(stepArbitrary(names), length),
    turnsArbitrary(),
  );
}

function turnsArbitrary(): fc.Arbitrary<readonly Step[]> {
  const lines = fc.constantFrom<Change[]>('line0', 'line1', 'line2', 'line2', 'write', 'chmod');
  const on = fc.tuple(fc.tuple(only('a'), lines));
  const by = fc.constantFrom<Who[]>(0, 0, 0, 0, 0, 1);
  const edit = fc.record({ do: fc.constantFrom('edit', 'edit', 'edit', 'shell'), by, on });
  const prompt = fc.record({ do: only('prompt'), by });
  const ingest = fc.record({ do: only('ingest') });
  const end = fc.record({ do: only('end'), by, how: only('stop') });
  const block = fc.oneof<fc.Arbitrary<readonly Step[]>[]>(
    fc.tuple(prompt, edit, end, ingest),
    fc.tuple(prompt, edit, ingest),
    fc.tuple(edit),
    fc.tuple(fc.record({ do: only('user'), on })),
    fc.tuple(operationArbitrary(['a'], by, fc.nat(2))),
    fc.tuple(operationArbitrary(['a'], by, fc.nat(2))),
  );
  return fc.array(block, { minLength: 4, maxLength: 12, size: 'max' }).map((all) => all.flat());
}

const only = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);

function stepArbitrary(some: readonly string[]): fc.Arbitrary<Step> {
  const path = fc.constantFrom(...some);
  const change = fc.oneof(
    ...changes.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })),
  );
  const act = fc.tuple(path, change);
  const acts = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(act) },
    { weight: 1, arbitrary: fc.tuple(act, act) },
  );
  const by = fc.constantFrom<Who[]>(0, 0, 0, 1);
  const weighted: readonly [number, fc.Arbitrary<Step>][] = [
    [16, fc.record({ do: only('prompt'), by })],
    [30, fc.record({ do: only('edit'), by, on: acts })],
    [2, fc.record({ do: only('edit'), by, on: acts, untold: only(true) })],
    [10, fc.record({ do: only('shell'), by, on: acts })],
    [3, fc.record({ do: only('shell'), by, on: acts, blind: only(true) })],
    [2, fc.record({ do: only('unheard'), on: fc.tuple(act) })],
    [14, fc.record({ do: only('user'), on: fc.tuple(act) })],
    [
      12,
      fc.record({
        do: only('end'),
        by,
        how: fc.constantFrom('stop', 'stop', 'stop', 'interrupt', 'sessionEnd'),
      }),
    ],
    [30, operationArbitrary(some, by, fc.nat(7))],
    [6, fc.record({ do: only('ingest') })],
    [2, fc.record({ do: only('restart') })],
    [1, fc.record({ do: only('wait') })],
    [1, fc.record({ do: only('loseLive'), by })],
  ];
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

function operationArbitrary(
  some: readonly string[],
  by: fc.Arbitrary<Who>,
  pick: fc.Arbitrary<number>,
): fc.Arbitrary<OperationStep> {
  const path = fc.constantFrom(...some);
  const sometimes = <T>(value: T, of: number) => fc.option(only(value), { freq: of - 1 });
  const choices = fc
    .record({
      conflicts: fc.constantFrom<ConflictChoice | null>(null, null, 'take', 'merge', 'fail'),
      partial: sometimes(true as const, 4),
      force: sometimes(true as const, 2),
      undo: fc.constantFrom(null, 1 as const, 1 as const, 2 as const),
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)));
  const operation = <T extends object>(parts: fc.Arbitrary<T>) =>
    fc.tuple(parts, choices).map(([one, two]) => ({ ...one, ...two }));
  const weighted: readonly [number, fc.Arbitrary<OperationStep>][] = [
    [14, operation(fc.record({ do: only('rewind'), by, pick }))],
    [7, operation(fc.record({ do: only('revert'), by, pick }))],
    [
      4,
      operation(
        fc.record({
          do: only('restore'),
          by,
          pick,
          path,
          side: fc.constantFrom('before', 'after'),
        }),
      ),
    ],
    [5, operation(fc.record({ do: only('redo'), pick }))],
  ];
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
