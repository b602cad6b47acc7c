/** The composition root: wires stores and use cases into a `TimelineApp`. */
import type { TimelineApp } from './timelineApp.ts';

export interface TimelineAppOptions {
  /** Our home store; absolute. Hosts take it from `MEMCODE_TIMELINE_HOME` or `~/.memcode/timeline`. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** One whole sentence; never file contents or prompts. */
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
}

/** Opens the stores, creating `home` (mode 0700) if need be. @throws UserError `database`, `unsupported`. */
export function openTimelineApp(options: TimelineAppOptions): TimelineApp {
  throw new Error(`the stores of ${options.home} are not wired yet`);
}
