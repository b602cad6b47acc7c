/**
 * Random sequences of what agents and people write to memory, rewinds that take it back, and their undoing, against a model that
 * keeps everything: after each step memory holds just what it says, and at the end each turn's memory is what it was then.
 * `MODEL_RUNS` says how many, `MODEL_SEED` which: without it always the same ones.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OperationId, TurnId } from '../../src/core/ids.ts';
import type { MemoryScope } from '../../src/core/memory.ts';
import type { OperationReport } from '../../src/core/timeline.ts';
import { agent, MemoryWorld, person } from '../helpers/memoryWorld.ts';

const wanted = process.env['MODEL_SEED'] ?? '92741';
const seed = wanted === 'random' ? randomInt(2 ** 31) : Number(wanted);
const numRuns = Number(process.env['MODEL_RUNS'] ?? 60);

/** A state of a note or of the file of facts: no two are the same, even with the same text, unless one was never written anew. */
interface Version {
  readonly text: string;
}
type State = Version | null;
interface Touch {
  readonly key: string;
  readonly before: State;
  readonly after: State;
}

type Write =
  | { readonly key: string; readonly text: string | null }
  | { readonly key: 'facts'; readonly fact: string; readonly text: string };
type Step =
  | { readonly kind: 'turn'; readonly writes: readonly Write[] }
  | { readonly kind: 'person'; readonly write: Write }
  | { readonly kind: 'rewind'; readonly to: number; readonly conflicts: 'keep' | 'take' }
  | { readonly kind: 'undo'; readonly conflicts: 'keep' | 'take' }
  | { readonly kind: 'restart' };

const text = fc.constantFrom('oak and ash', 'seven rivers', 'the blue door', 'a long winter');
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    key: fc.constantFrom('global A', 'project A', 'project B', 'global 笔记'),
    text: fc.option(text, { nil: null, freq: 3 }),
  }),
  fc.record({ key: fc.constant('facts' as const), fact: fc.constantFrom('x', 'y'), text }),
);
const choice = fc.constantFrom('keep' as const, 'take' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person' as const), write }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      to: fc.nat(9),
      conflicts: choice,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), conflicts: choice }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

interface Turn {
  readonly id: TurnId;
  readonly touches: readonly Touch[];
  readonly atEnd: ReadonlyMap<string, Version>;
  active: boolean;
}

class Model {
  readonly world: MemoryWorld;
  readonly turns: Turn[] = [];
  readonly #memory = new Map<string, Version>();
  /** The newest, while nothing undid it. */
  #last:
    | {
        readonly id: OperationId;
        readonly touches: readonly Touch[];
        readonly turns: readonly Turn[];
      }
    | undefined;

  constructor(world: MemoryWorld) {
    this.world = world;
  }

  async run(one: Step): Promise<void> {
    switch (one.kind) {
      case 'turn': {
        const touches: Touch[] = [];
        const id = await this.world.turn(`turn ${this.turns.length + 1}`, async () => {
          for (const each of one.writes) touches.push(...(await this.#write(each, agent)));
        });
        this.turns.push({ id, touches, atEnd: new Map(this.#memory), active: true });
        return;
      }
      case 'person':
        await this.#write(one.write, person);
        return;
      case 'rewind':
        return this.#rewind(one.to, one.conflicts);
      case 'undo':
        return this.#undo(one.conflicts);
      case 'restart':
        return this.world.reopen();
    }
  }

  /** What is there, in the order of keys. */
  get memory(): Readonly<Record<string, string>> {
    return textsOf(this.#memory);
  }

  async #write(given: Write, writer: typeof agent): Promise<readonly Touch[]> {
    const { key } = given;
    const before = this.#memory.get(key) ?? null;
    const after = this.#stateAfter(given, before);
    if ('fact' in given) await this.world.setFact(given.fact, given.text, 'profile', writer);
    else {
      const [scope = '', name = ''] = key.split(' ');
      const where = scope as MemoryScope;
      if (given.text === null) await this.world.forget(name, where, writer);
      else await this.world.save(name, given.text, where, { ...writer, insists: true });
    }
    if (before === after) return [];
    this.#set(key, after);
    return [{ key, before, after }];
  }

  #stateAfter(given: Write, before: State): State {
    if (!('fact' in given)) {
      if (given.text === null) return null;
      return before?.text === given.text ? before : { text: given.text };
    }
    const lines = before?.text.split('\n') ?? [];
    const line = `${given.fact}: ${given.text}`;
    const at = lines.findIndex((each) => each.startsWith(`${given.fact}:`));
    const text = (at < 0 ? [...lines, line] : lines.with(at, line)).join('\n');
    return before?.text === text ? before : { text };
  }

  async #rewind(to: number, conflicts: 'keep' | 'take'): Promise<void> {
    const active = this.turns.filter((turn) => turn.active);
    const span = active.slice(to % (active.length || 1));
    const [first] = span;
    if (first === undefined) return;
    const touches = span.flatMap((turn) => turn.touches);
    const { planned, applied } = this.#plan(touches, conflicts);
    const preview = await this.world.app.preview(first.id);
    assert.equal(preview.memory?.conflicts.length ?? 0, planned, 'conflicts of the preview');
    const how = { memory: 'take-back', conflicts, memoryDecided: true } as const;
    this.#done(await this.world.app.rewind(first.id, how), applied, span);
    for (const turn of span) turn.active = false;
  }

  async #undo(conflicts: 'keep' | 'take'): Promise<void> {
    const last = this.#last;
    if (last === undefined) return;
    const { applied } = this.#plan(last.touches, conflicts);
    const report = await this.world.app.redo(last.id, { conflicts, memoryDecided: true });
    this.#done(report, applied, last.turns);
    for (const turn of last.turns) turn.active = !turn.active;
  }

  /** By file: what was there before the first of these changes, unless somebody else changed it between or since. */
  #plan(touches: readonly Touch[], conflicts: 'keep' | 'take') {
    let planned = 0;
    const applied: Touch[] = [];
    for (const [key, group] of Map.groupBy(touches, (touch) => touch.key)) {
      const target = group.at(0)!.before;
      const present = this.#memory.get(key) ?? null;
      if (isSame(key, present, target)) continue;
      const isBroken = group.some(
        (touch, n) => n > 0 && !isSame(key, touch.before, group[n - 1]!.after),
      );
      const isConflict = isBroken || !isSame(key, present, group.at(-1)!.after);
      if (isConflict) planned++;
      if (isConflict && conflicts === 'keep') continue;
      applied.push({ key, before: present, after: target });
    }
    return { planned, applied };
  }

  #done(report: OperationReport, applied: readonly Touch[], turns: readonly Turn[]): void {
    assert.equal(report.complete, true);
    for (const { key, after } of applied) this.#set(key, after);
    this.#last = report.operation ? { id: report.operation, touches: applied, turns } : undefined;
  }

  #set(key: string, state: State): void {
    if (state === null) this.#memory.delete(key);
    else this.#memory.set(key, state);
  }
}

/** A note says when it was written; a file of facts is nothing but its text. */
function isSame(key: string, a: State, b: State): boolean {
  return a === b || (key === 'facts' && a?.text === b?.text);
}

function textsOf(memory: ReadonlyMap<string, Version>): Readonly<Record<string, string>> {
  return Object.fromEntries([...memory].map(([key, state]) => [key, state.text]));
}

async function memoryOf(world: MemoryWorld): Promise<Readonly<Record<string, string>>> {
  const [profile] = await world.memory.facts(world.root);
  return { ...(await world.bodies()), ...factsText(profile?.facts) };
}

function factsText(facts: readonly { key: string; value: string }[] = []): { facts?: string } {
  const lines = facts.map(({ key, value }) => `${key}: ${value}`);
  return lines.length === 0 ? {} : { facts: lines.join('\n') };
}

test(`memory goes back and forth with its turns (MODEL_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await using world = await MemoryWorld.make();
      world.memory.setAgentWrites('auto');
      const model = new Model(world);
      for (const one of steps) {
        await model.run(one);
        assert.deepEqual(await memoryOf(world), model.memory, JSON.stringify(one));
      }
      for (const { id, atEnd } of model.turns) {
        const then = await world.memory.asOf(world.root, id);
        const notes = then.notes.map(
          ({ scope, name, body }) => [`${scope} ${name}`, body] as const,
        );
        const sheet = then.sheets.find(({ scope }) => scope === 'profile');
        const all = { ...Object.fromEntries(notes), ...factsText(sheet?.facts) };
        assert.deepEqual(all, textsOf(atEnd), `as of ${id}`);
      }
    }),
    { seed, numRuns },
  );
});
