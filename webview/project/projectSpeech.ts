/** What the templates of a project's page need besides their data. */
import { agentName as knownAgentName } from '../../src/core/agentName.ts';
import { type ProjectStringId, projectStrings } from '../../src/protocol/projectStrings.ts';
import type { Formatter } from '../formatter.ts';
import { type TranslateIds, translatorOf } from '../translate.ts';

export interface ProjectSpeech {
  readonly t: TranslateIds<ProjectStringId>;
  readonly format: Formatter;
  /** Milliseconds since 1970 at the host, moving on. */
  readonly now: number;
}

export function projectTranslator(
  strings: Readonly<Record<string, string>>,
): TranslateIds<ProjectStringId> {
  return translatorOf(strings, projectStrings);
}

export function ago(at: number, { t, format, now }: ProjectSpeech): string {
  return format.relative(at, now, 'long') ?? t('now');
}

export function agentName(agent: string, { t }: ProjectSpeech): string {
  return knownAgentName(agent) ?? t('unknownAgent');
}

/** One of two sentences, for one and for many. */
export function counted(
  count: number,
  one: ProjectStringId,
  many: ProjectStringId,
  { t, format }: ProjectSpeech,
): string {
  return count === 1 ? t(one) : t(many, format.number(count));
}
