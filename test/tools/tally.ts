/** What ran and how it went, over all steps of a run. */

export interface Tally {
  passed: number;
  failed: number;
  readonly skipped: { readonly name: string; readonly reason: string }[];
  /** One line each. */
  readonly failures: string[];
  /** Tests that passed only at a second attempt. */
  readonly unsteady: string[];
}

export function emptyTally(): Tally {
  return { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [] };
}

export function addFailure(tally: Tally, line: string): void {
  tally.failed++;
  tally.failures.push(line);
}

/** The end of the run's output; its last line is what a machine reads. */
export function summaryOf(tally: Tally): string {
  const lines = [
    ...tally.skipped.map(({ name, reason }) => `skipped: ${name} (${reason})`),
    ...tally.unsteady.map((test) => `passed at the second attempt: ${test}`),
    ...tally.failures.map((line) => `failed: ${line}`),
    `${tally.passed} passed, ${tally.failed} failed`,
  ];
  return lines.join('\n');
}
