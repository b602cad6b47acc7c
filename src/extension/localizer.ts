/** What texts need: words in the person's language, and the few phrases that many of them share. Pure. */
import type { Side } from '../app/timelineApp.ts';
import { agentName } from '../core/agentName.ts';

/** The part of `vscode.l10n` that texts need; passed in, so that what decides on words runs without VS Code. */
export interface Localizer {
  /** @param message may hold `{0}`, `{1}`, … for the arguments. */
  t(message: string, ...args: (string | number | boolean)[]): string;
}

export function countFiles(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

export function spokenAgent(l10n: Localizer, agent: string): string {
  return agentName(agent) ?? l10n.t('Agent');
}

/** `+12 −3`; a side without lines is left out. Empty when nothing was counted. */
export function lineSum(added: number | null, removed: number | null): string {
  return [
    ...(added !== null && added > 0 ? [`+${added}`] : []),
    ...(removed !== null && removed > 0 ? [`−${removed}`] : []),
  ].join(' ');
}

/** `before turn 3` */
export function momentText(l10n: Localizer, { side, turn }: Moment): string {
  return side === 'before' ? l10n.t('before turn {0}', turn) : l10n.t('after turn {0}', turn);
}

/** A side of a turn, by its number. */
export interface Moment {
  readonly side: Side;
  readonly turn: number;
}

export function countTurns(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', count);
}
