/**
 * Turns the facts of a span and the person's choices into the steps of one operation and the report of every path.
 * Refuses before anything is written when something could not be done (spec/checkpoints A.2.5, A.4).
 */
import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import {
  byHandOutcome,
  goneOutcome,
  keptOutcome,
  type Moment,
  mergedOutcome,
  outcomeOf,
  usedOutcome,
} from '../core/pathOutcome.ts';
import { choiceFor, type Decision, decide } from '../core/rewindPlan.ts';
import { absent, compareStates, type PathState } from '../core/state.ts';
import type { ConflictChoice, PathOutcome } from '../core/timeline.ts';
import { allFoldersAbove } from './foldersAbove.ts';
import type { Step } from './journal.ts';
import { statState } from './pathState.ts';
import { absoluteOf } from './places.ts';
import type { RewindSpan, SpanFacts } from './rewindFacts.ts';

const mostNamed = 50;

export interface StepOptions {
  readonly conflicts?: ConflictChoice;
  readonly choices?: ReadonlyMap<string, ConflictChoice>;
  /** Conflicts that stay for a person to merge: they count as decided. */
  readonly byHand?: ReadonlySet<string>;
  readonly partial?: boolean;
  /** For the report. Default `the turn`. */
  readonly moment?: Moment;
  /** Merges a conflict; undefined when it does not merge cleanly. Its `source` must live until the operation is done. */
  readonly merge?: (
    facts: SpanFacts,
  ) => { readonly source: string; readonly to: PathState } | undefined;
}

export interface PlannedSteps {
  readonly steps: readonly Step[];
  readonly outcomes: readonly PathOutcome[];
  /** Conflicts that stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Decisions of a span with what stands in the way on the disk worked in.
 * @param isTaken whether a conflict at this path will give way. Default: each may
 */
export function spanDecisions(
  span: RewindSpan,
  isTaken: (at: string) => boolean = () => true,
): readonly Decision[] {
  const all = withNeededFolders(span.facts, isTaken);
  const decisions = all.map(decide);
  const leaving = all.filter(
    ({ path: at, target }, i) =>
      isActive(decisions[i]) &&
      (decisions[i]?.kind !== 'conflict' || isTaken(at)) &&
      (target.kind === 'absent' || target.kind === 'directory'),
  );
  const pathsOf = (some: readonly SpanFacts[]) => some.map((facts) => facts.path);
  const going = new Set(pathsOf(leaving.filter(({ present }) => present.kind !== 'directory')));
  const folders = new Set([
    ...span.folders,
    ...pathsOf(leaving.filter(({ present }) => present.kind === 'directory')),
  ]);
  return decisions.map((decision, index) => {
    const facts = all[index];
    if (facts === undefined || !isActive(decision)) return decision;
    const reason = obstacle(span.root, facts, going, folders);
    if (reason === undefined) return decision;
    // The span made the folder, and somebody else uses it now: it stays, as one that is not empty does.
    const isUsed = facts.target.kind === 'absent' && span.folders.includes(facts.path);
    return isUsed
      ? { kind: 'none', path: decision.path }
      : { kind: 'notRestorable', path: decision.path, reason };
  });
}

/** Nothing was recorded at a path where, in the same span, things come back below it: there was a folder. */
function withNeededFolders(
  all: readonly SpanFacts[],
  isTaken: (at: string) => boolean,
): readonly SpanFacts[] {
  const returning = all.filter((facts) => {
    const { kind } = decide(facts);
    const isDone = kind === 'conflict' ? isTaken(facts.path) : kind !== 'notRestorable';
    return facts.target.kind !== 'absent' && isDone;
  });
  const needed = allFoldersAbove(returning.map((facts) => facts.path));
  return all.map((facts) => {
    if (!needed.has(facts.path)) return facts;
    if (facts.target.kind === 'absent') {
      const isThere = facts.present.kind === 'directory';
      return { ...facts, target: isThere ? facts.present : { kind: 'directory', mode: 0o755 } };
    }
    // Whoever removed the folder: it comes back with what is in it.
    const isGone = facts.target.kind === 'directory' && facts.present.kind === 'absent';
    return isGone ? { ...facts, left: facts.present, doubt: undefined } : facts;
  });
}

/**
 * @throws UserError `damaged` (a path that cannot be restored, unless `partial`) or `conflicts` (a conflict whose choice
 * is `fail`), naming such paths in the sentence, and all of them in `data.paths`.
 */
export function rewindSteps(span: RewindSpan, options: StepOptions): PlannedSteps {
  const choice = (at: string) => choiceFor(at, options.choices, options.conflicts);
  const isTaken = (at: string) => choice(at) === 'take';
  const decisions = spanDecisions(span, isTaken);
  refuse(decisions, options, choice);
  const steps: Step[] = [];
  const outcomes: PathOutcome[] = [];
  const kept: string[] = [];
  withNeededFolders(span.facts, isTaken).forEach((facts, index) => {
    const decision = decisions[index];
    if (decision === undefined) return;
    const made = stepFor(facts, decision, choice(facts.path), options);
    outcomes.push(made.outcome);
    if (made.outcome.result === 'kept' && !made.byHand) kept.push(facts.path);
    if (made.step) steps.push(made.step);
  });
  return { steps: withFolders(span, steps), outcomes, kept };
}

function refuse(
  decisions: readonly Decision[],
  options: StepOptions,
  choice: (at: string) => ConflictChoice,
): void {
  const impossible = decisions.filter((d) => d.kind === 'notRestorable');
  if (impossible.length > 0 && !options.partial) {
    throw new UserError(
      'damaged',
      `Nothing was changed, because not every file can be put back. ${few(impossible.map((d) => `${d.path}: ${d.reason}`)).join(' ')}`,
      { paths: impossible.map((d) => d.path) },
    );
  }
  const refused = decisions.filter((d) => d.kind === 'conflict' && choice(d.path) === 'fail');
  if (refused.length > 0) {
    throw new UserError(
      'conflicts',
      `Nothing was changed, because files were changed since: ${few(refused.map((d) => d.path)).join(', ')}.`,
      { paths: refused.map((d) => d.path) },
    );
  }
}

/** For a sentence; the data name all. */
function few(texts: readonly string[]): readonly string[] {
  const rest = texts.length - mostNamed;
  return rest <= 0 ? texts : [...texts.slice(0, mostNamed), `and ${rest} more`];
}

function stepFor(
  facts: SpanFacts,
  decision: Decision,
  choice: ConflictChoice,
  { merge, byHand, moment = 'the turn' }: StepOptions,
): { readonly step?: Step; readonly outcome: PathOutcome; readonly byHand?: boolean } {
  const at = facts.path;
  switch (decision.kind) {
    case 'none': {
      const isThere = facts.target.kind === 'absent' && facts.present.kind === 'directory';
      return { outcome: isThere ? usedOutcome(at) : outcomeOf(at, 'none', moment) };
    }
    case 'notRestorable':
      return { outcome: { path: at, result: 'notRestorable', why: decision.reason } };
    case 'apply': {
      const note = decision.unverified ? ' Its saved bytes carry no checksum.' : '';
      return { step: stepTo(facts), outcome: outcomeOf(at, decision.act, moment, note) };
    }
    case 'conflict': {
      const { act, reason } = decision;
      if (byHand?.has(at)) return leftByHand(facts, reason);
      if (choice === 'take') {
        return {
          step: stepTo(facts),
          outcome: outcomeOf(at, act, moment, ` ${reason} The old state was taken.`),
        };
      }
      const merged = choice === 'merge' ? merge?.(facts) : undefined;
      if (merged === undefined) return { outcome: keptOutcome(at, reason, choice === 'merge') };
      if (compareStates(merged.to, facts.present) === 'same')
        return { outcome: goneOutcome(at, moment) };
      const merger = facts.presentIsAgents ? 'agents' : 'person';
      const step: Step = { path: at, from: facts.present, ...merged, merged: merger };
      return { step, outcome: mergedOutcome(at, reason, moment) };
    }
  }
}

/** What is there is saved, as for a change: then taking the operation back knows what the person began with. */
function leftByHand({ path: at, present }: SpanFacts, reason: string) {
  const step: Step = { path: at, from: present, to: present, merged: 'person' };
  const outcome = byHandOutcome(at, reason);
  return { outcome, byHand: true, ...(present.kind === 'file' && { step }) };
}

function stepTo(facts: SpanFacts): Step {
  return {
    path: facts.path,
    from: facts.present,
    to: facts.target,
    ...(facts.source !== undefined && { source: facts.source }),
    ...(facts.isMergedTarget && { merged: 'agents' as const }),
  };
}

/** Folders the span created go when they are empty; folders that are missing for what comes back are made. */
function withFolders(span: RewindSpan, steps: readonly Step[]): readonly Step[] {
  const own = new Set(steps.map((step) => step.path));
  const goes: Step[] = emptied(span, steps).map((key) => ({
    path: key,
    from: statState(absoluteOf(span.root, key)),
    to: absent,
    optional: true,
  }));
  const returning = (span.returning ?? []).filter((step) => !own.has(step.path));
  const comes = new Map(returning.map((step) => [step.path, step]));
  const arriving = steps.filter((s) => s.to.kind !== 'absent').map((step) => step.path);
  for (const key of allFoldersAbove(arriving)) {
    if (own.has(key) || comes.has(key) || fs.existsSync(absoluteOf(span.root, key))) continue;
    comes.set(key, {
      path: key,
      from: absent,
      to: { kind: 'directory', mode: 0o755 },
      optional: true,
    });
  }
  return [...steps, ...goes.filter((step) => !comes.has(step.path)), ...comes.values()];
}

/** Folders of the span that the steps leave empty, but for those of which it was decided otherwise. */
function emptied({ root, folders, facts }: RewindSpan, steps: readonly Step[]): readonly string[] {
  const decided = new Set(facts.map((one) => one.path));
  const stays = steps.filter((step) => step.to.kind !== 'absent').map((step) => step.path);
  const used = new Set([...stays, ...allFoldersAbove(stays)]);
  const gone = new Set(steps.filter((step) => step.to.kind === 'absent').map((step) => step.path));
  for (const key of folders.toReversed()) {
    if (decided.has(key)) continue;
    const isUsed =
      used.has(key) ||
      fs.readdirSync(absoluteOf(root, key)).some((name) => !gone.has(`${key}/${name}`));
    if (!isUsed) gone.add(key);
  }
  return folders.filter((key) => gone.has(key) && !decided.has(key));
}

function isActive(decision: Decision | undefined): boolean {
  return decision?.kind === 'apply' || decision?.kind === 'conflict';
}

/** A sentence when a folder with other things in it, or a file that is no folder, stands where the path must go. */
function obstacle(
  root: Root,
  facts: SpanFacts,
  going: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string | undefined {
  if (facts.present.kind === 'directory' && facts.target.kind !== 'directory') {
    const stranger = strangerIn(root, facts.path, going, folders);
    if (stranger !== undefined)
      return `A folder with other files in it (${stranger}) is in its place.`;
  }
  if (facts.target.kind === 'absent') return undefined;
  const segments = facts.path.split('/').slice(0, -1);
  for (let length = 1; length <= segments.length; length++) {
    const key = segments.slice(0, length).join('/');
    const state = statState(absoluteOf(root, key));
    if (state.kind === 'absent') return undefined;
    if (state.kind === 'directory') continue;
    // What goes makes room for everything below it; nothing is looked for behind a link.
    return going.has(key) ? undefined : `${key} is not a folder any more.`;
  }
  return undefined;
}

function strangerIn(
  root: Root,
  key: string,
  going: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string | undefined {
  for (const entry of fs.readdirSync(absoluteOf(root, key), { withFileTypes: true })) {
    const inner = path.posix.join(key, entry.name);
    if (going.has(inner)) continue;
    if (!entry.isDirectory()) return inner;
    const found = strangerIn(root, inner, going, folders);
    if (found !== undefined) return found;
    if (!folders.has(inner)) return inner;
  }
  return undefined;
}
