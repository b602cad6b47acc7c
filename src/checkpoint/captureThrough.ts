/** Saves what is at a path and, where that is a link, what it leads to: a tool may replace the one or write to the other. */
import { type CaptureResult, type CaptureTarget, capture } from './capture.ts';
import { pathsThrough } from './pathsThrough.ts';

/** @returns the path's own result, or the first failure. Never throws. */
export function captureThrough(target: CaptureTarget, given: string, base: string): CaptureResult {
  const own = capture(target, given, base);
  const others = pathsThrough(given, base).slice(1);
  const failure = others.map((at) => capture(target, at, base)).find((result) => !result.saved);
  return own.saved ? (failure ?? own) : own;
}
