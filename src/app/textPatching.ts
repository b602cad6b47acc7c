/** Unified diffs done and undone, exactly or not at all. Pure. */
import { applyPatch, parsePatch, reversePatch } from 'diff';
import type { Patching } from './reconstructedChain.ts';

/** Lines may have moved, but every line that a diff names must be there as it says. */
const exact = { fuzzFactor: 0, autoConvertLineEndings: false } as const;

export const textPatching: Patching = {
  apply: (text, patch) => changed(text, patch, (diff) => diff),
  reverse: (text, patch) => changed(text, patch, reversePatch),
};

type Diff = ReturnType<typeof parsePatch>[number];

function changed(text: string, patch: string, turned: (diff: Diff) => Diff): string | undefined {
  const diff = diffIn(patch);
  if (diff === undefined || diff.hunks.length === 0) return undefined;
  const result = applyPatch(text, turned(diff), exact);
  return result === false ? undefined : result;
}

/** Undefined for what is no diff of one file: agents wrote it. */
function diffIn(patch: string): Diff | undefined {
  try {
    const diffs = parsePatch(patch);
    return diffs.length === 1 ? diffs[0] : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
