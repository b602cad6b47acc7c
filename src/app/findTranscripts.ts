/** Finds transcripts: where agents keep theirs below the user's home, or in a place that a person names. Looks only. */
import fs from 'node:fs';
import path from 'node:path';
import { type Fields, has } from '../agents/fields.ts';
import type { TranscriptSource } from '../agents/transcript.ts';
import { sourceOf, sourceOfFile, transcriptSources } from '../agents/transcripts.ts';
import { isMissing, listIfExists } from '../base/atomicFile.ts';
import { readLines } from '../base/jsonLines.ts';
import { UserError } from '../core/errors.ts';

export interface FoundTranscript {
  readonly file: string;
  readonly size: number;
  readonly source: TranscriptSource;
  /** Where the file holds many. */
  readonly session?: string;
}

const deepest = 8;

/**
 * Oldest first: a session that goes on in a second file is then in order.
 * @param given a file or folder; undefined: the agents' own places @throws UserError `notFound`, `usage`
 */
export function findTranscripts(
  userHome: string,
  given: string | undefined,
  agent: string | undefined,
): readonly FoundTranscript[] {
  const wanted = agent === undefined ? transcriptSources : [sourceOf(agent)];
  const sources = wanted.filter((source) => source !== undefined);
  if (sources.length === 0)
    throw new UserError('usage', `Transcripts of ${agent} cannot be read.`, { agent });
  const files =
    given === undefined
      ? sources.flatMap(({ places }) =>
          places.flatMap(({ folder, depth }) =>
            filesBelow(path.join(userHome, ...folder.split('/')), depth),
          ),
        )
      : givenFiles(given);
  const found = files.flatMap((file): (FoundTranscript & { time: number })[] => {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    const source = sourceOfFile(file) ?? (given === undefined ? undefined : sourceByContent(file));
    if (source === undefined || !sources.includes(source)) return [];
    return [{ file, size: stat.size, source, time: stat.mtimeMs }];
  });
  return found
    .sort((a, b) => a.time - b.time)
    .flatMap(({ file, size, source }) => entriesOf({ file, size, source }));
}

/** One for each session of a database; one that cannot be opened is told when it is read. */
function entriesOf(found: FoundTranscript): readonly FoundTranscript[] {
  if (found.source.sessionsIn === undefined) return [found];
  try {
    return found.source
      .sessionsIn(found.file)
      .map(({ session, version }) => ({ ...found, size: version, session }));
  } catch {
    return [found];
  }
}

/** The transcript of one session, where its name tells it; hooks that were connected later never named it. */
export function transcriptOf(userHome: string, agent: string, session: string): string | undefined {
  const source = sourceOf(agent);
  const name = /^[\w-]{1,100}$/.test(session) ? source?.nameOf?.(session) : undefined;
  if (source === undefined || name === undefined) return undefined;
  for (const { folder } of source.places) {
    const place = path.join(userHome, ...folder.split('/'));
    const folders = [place, ...foldersIn(place)];
    const found = folders.map((each) => path.join(each, name)).find((file) => fs.existsSync(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

function foldersIn(place: string): readonly string[] {
  return listIfExists(place)
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(place, entry.name));
}

/** @throws UserError `notFound`. */
function givenFiles(given: string): readonly string[] {
  const stat = fs.statSync(given, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UserError('notFound', `There is nothing at ${given}.`, { path: given });
  return stat.isDirectory() ? filesBelow(given, deepest) : [given];
}

/** Not through links: they may lead in circles. */
function filesBelow(folder: string, depth: number): readonly string[] {
  return listIfExists(folder).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? filesBelow(place, depth - 1) : [];
    return entry.isFile() && /\.(?:jsonl?|db)$/.test(entry.name) ? [place] : [];
  });
}

/** A copy under another name: its first records tell whose it is. */
function sourceByContent(file: string): TranscriptSource | undefined {
  try {
    let looked = 0;
    for (const { bytes } of readLines(file, 0, 1 << 20)) {
      const source = sourceOf(agentOf(JSON.parse(bytes.toString()) as Fields) ?? '');
      if (source !== undefined || looked++ > 5) return source;
    }
  } catch (error) {
    // A file of something else.
    if (!(error instanceof SyntaxError) && !isMissing(error)) throw error;
  }
  return undefined;
}

function agentOf(record: Fields): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  if (record['type'] === 'session_meta') return 'codex';
  if (has(record, 'projectHash')) return 'gemini';
  if (record['type'] === 'session.start') return 'copilot';
  if (has(record, 'parentUuid') && has(record, 'sessionId')) return 'claude';
  return undefined;
}
