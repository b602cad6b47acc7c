/** What an import of sessions came to: in one message, and file by file. Pure. */
import type { ImportedFile, ImportProgress, ImportReport } from '../app/sessionHistory.ts';
import { countTurns, type Localizer, spokenAgent } from './localizer.ts';

/** One message. */
export function importSummary({ files, wasCancelled }: ImportReport, l10n: Localizer): string {
  const added = sum(files, (file) => file.added);
  const updated = sum(files, (file) => file.updated);
  const sessions = new Set(files.filter((file) => file.added > 0).map(({ session }) => session));
  const problems = problemsOf(files).length;
  const sentences = [
    ...(wasCancelled
      ? [l10n.t('The import was cancelled; what was read until then is kept.')]
      : files.length === 0
        ? [l10n.t('No transcripts of agents were found.')]
        : []),
    ...(added > 0
      ? [
          l10n.t(
            '{0} of {1} imported from {2}.',
            countTurns(l10n, added),
            countSessions(l10n, sessions.size),
            countTranscripts(l10n, files.length),
          ),
        ]
      : files.length > 0
        ? [l10n.t('No new turns in {0}.', countTranscripts(l10n, files.length))]
        : []),
    ...(updated > 0 ? [l10n.t('{0} made more complete.', countTurns(l10n, updated))] : []),
    ...(problems > 0
      ? [l10n.t('{0} could not be read, or not whole.', countTranscripts(l10n, problems))]
      : []),
  ];
  return sentences.join(' ');
}

/** Every transcript, those with a problem first. A text; names of files are data in it. */
export function importReportText({ files, wasCancelled }: ImportReport, l10n: Localizer): string {
  const problems = problemsOf(files);
  const fine = files.filter(({ problem }) => problem === null);
  return [
    `# ${l10n.t('Imported Sessions')}`,
    importSummary({ files, wasCancelled }, l10n),
    ...(problems.length === 0 ? [] : [`## ${l10n.t('Could not be read, or not whole')}`]),
    ...problems.map((file) => `${headOf(file, l10n)}\n${file.problem}${countsOf(file, l10n)}`),
    ...(fine.length === 0 ? [] : [`## ${l10n.t('Read')}`]),
    ...fine.map(
      (file) =>
        `${headOf(file, l10n)}\n${file.isUnchanged ? l10n.t('As it was when it was read last.') : countsOf(file, l10n).trim()}`,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

export function hasProblems({ files }: ImportReport): boolean {
  return problemsOf(files).length > 0;
}

/** Percent done, by bytes. */
export function importPercent({ bytes, ofBytes }: ImportProgress): number {
  return ofBytes === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / ofBytes));
}

function problemsOf(files: readonly ImportedFile[]): readonly ImportedFile[] {
  return files.filter(({ problem }) => problem !== null);
}

function headOf({ file, agent }: ImportedFile, l10n: Localizer): string {
  return `${spokenAgent(l10n, agent)}: ${file.replaceAll(/[\r\n]/g, ' ')}`;
}

function countsOf({ session, added, updated, kept }: ImportedFile, l10n: Localizer): string {
  if (session === null) return '';
  const counts = [
    l10n.t('Turns: {0} new', added),
    l10n.t('{0} made more complete', updated),
    ...(kept > 0 ? [l10n.t('{0} records kept as they are', kept)] : []),
  ];
  return ` ${counts.join(', ')}.`;
}

function countTranscripts(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 transcript') : l10n.t('{0} transcripts', count);
}

function countSessions(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', count);
}

function sum(files: readonly ImportedFile[], of: (file: ImportedFile) => number): number {
  return files.reduce((total, file) => total + of(file), 0);
}
