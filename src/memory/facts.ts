/**
 * A file of facts: `key: value` lines that people may edit. Lines that are none stay as they are. Pure on bytes; the
 * estimate of tokens counts each line as it is written.
 */
import { UserError } from '../core/errors.ts';
import type { Fact, FactScope, FactSheet, MemoryProblem } from '../core/memory.ts';
import { estimateTokens } from '../core/tokenEstimate.ts';

const keyPattern = /^[a-z0-9_]+$/;
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

interface FactLine extends Fact {
  readonly index: number;
}

/** @param path how problems name the file; nothing there is an empty sheet */
export function readFacts(
  bytes: Uint8Array | undefined,
  scope: FactScope,
  cap: number,
  path: string,
): FactSheet {
  const lines = linesOf(bytes);
  const all = factLines(lines);
  const last = new Map(all.map((fact) => [fact.key, fact.index]));
  const facts = all.filter(({ key, index }) => last.get(key) === index);
  const problems: MemoryProblem[] = all
    .filter(({ key, index }) => last.get(key) !== index)
    .map(({ key, index }) => ({
      path,
      text: `Line ${index + 1} says ${key}, and so does a later one, which counts.`,
    }));
  const used = usedBy(facts);
  if (used > cap)
    problems.push({ path, text: `It takes about ${used} tokens; ${cap} are allowed.` });
  return { scope, facts: facts.map(({ key, value }) => ({ key, value })), used, cap, problems };
}

/**
 * The file with this fact in it: in its place, or at the end.
 * @throws UserError `usage` for what cannot be a fact, `full` with scope, entries, used and cap; a change that makes the
 * file smaller is allowed above the cap.
 */
export function withFact(
  bytes: Uint8Array | undefined,
  scope: FactScope,
  fact: Fact,
  cap: number,
): Uint8Array {
  const { key, value } = checkedFact(fact);
  const before = readFacts(bytes, scope, cap, scope);
  const known = before.facts.some((each) => each.key === key);
  const after = known
    ? before.facts.map((each) => (each.key === key ? { key, value } : each))
    : [...before.facts, { key, value }];
  const used = usedBy(after);
  if (used > cap && used >= before.used) {
    const entries = before.facts.length;
    throw new UserError(
      'full',
      `The facts (${scope}) would take about ${used} tokens; ${cap} are allowed. Remove some of its ${entries} first.`,
      { scope, entries: before.facts, used, cap },
    );
  }
  const lines = linesOf(bytes);
  const at = factLines(lines).findLast((each) => each.key === key)?.index;
  const text = `${key}: ${value}`;
  if (at !== undefined) return joined(bytes, lines.with(at, text));
  // A last line without its end gets one.
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  return joined(bytes, [...whole, text, '']);
}

/** The file without this fact; undefined when it has none of that key. */
export function withoutFact(bytes: Uint8Array | undefined, key: string): Uint8Array | undefined {
  const lines = linesOf(bytes);
  const gone = new Set(factLines(lines).flatMap((fact) => (fact.key === key ? [fact.index] : [])));
  if (gone.size === 0) return undefined;
  return joined(
    bytes,
    lines.filter((_, index) => !gone.has(index)),
  );
}

/** @throws UserError `usage` */
export function checkedFact({ key, value }: Fact): Fact {
  if (!keyPattern.test(key))
    throw new UserError(
      'usage',
      'The key of a fact is made of small letters, digits and underscores.',
      { key },
    );
  const text = value.toWellFormed();
  if (!oneLine.test(text))
    throw new UserError('usage', `The value of ${key} must be one line of text.`, { key });
  return { key, value: text.trim() };
}

function usedBy(facts: readonly Fact[]): number {
  return facts.reduce((sum, { key, value }) => sum + estimateTokens(`${key}: ${value}\n`), 0);
}

function factLines(lines: readonly string[]): readonly FactLine[] {
  return lines.flatMap((line, index) => {
    const colon = line.indexOf(':');
    if (colon < 0) return [];
    const key = line
      .slice(0, colon)
      .replace(/^\ufeff/, '')
      .trim();
    const value = line.slice(colon + 1).trim();
    return keyPattern.test(key) && oneLine.test(value) ? [{ key, value, index }] : [];
  });
}

function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined || bytes.length === 0) return [''];
  return textOf(bytes).split(/\r?\n/);
}

/** With the ends of lines that the file has. */
function joined(bytes: Uint8Array | undefined, lines: readonly string[]): Uint8Array {
  const end = bytes !== undefined && textOf(bytes).includes('\r\n') ? '\r\n' : '\n';
  return Buffer.from(lines.join(end));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
