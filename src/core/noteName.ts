/** How notes are named: what a name may be, when two are the same, and what the file of one is called. Pure. */
import { fingerprint, isReservedName } from './ids.ts';
import { memoryLimits } from './memory.ts';

/** What is derived from the notes of a folder; no note's file. Disks that fold case take `memory.md` for it. */
export const indexPageName = 'MEMORY.md';

const longestSlug = 60;
/** File systems count bytes; the extension, a hash and room for a temporary's name must fit as well. */
const longestSlugBytes = 150;

/** Takes no room and joins nothing, so that two names with and without it look the same. */
const unseen = /[\u00ad\u200b\u2060-\u2064\ufeff]/gu;

/** One line without control characters and outer spaces; empty when nothing is left, which means: not named. */
export function cleanName(name: string): string {
  const cleaned = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replace(unseen, '')
    .replace(/\s+/gu, ' ')
    .trim();
  // Joiners and marks alone are nothing that anybody sees.
  return /^[\p{Cf}\p{M}\s]*$/u.test(cleaned) ? '' : cleaned;
}

/** Two names with the same are one note. */
export function foldNoteName(name: string): string {
  return cleanName(name).toLowerCase();
}

/** For a note that nobody named: its first line that says something, without Markdown's marks. */
export function nameFromBody(body: string): string {
  return [...firstLineOf(body)].slice(0, longestSlug).join('').trim();
}

/** The first line with a letter or digit, without heading, list and quote marks; empty when there is none. */
export function firstLineOf(body: string): string {
  for (const line of body.split(/\r\n|[\r\n\u2028\u2029]/)) {
    const text = cleanName(line.replace(/^[\s>]*(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)?/, ''));
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)) return text;
  }
  return '';
}

export function isTooLong(name: string): boolean {
  return [...name].length > memoryLimits.nameLength;
}

/**
 * What the file of a new note is called, without `.md`: letters and digits of any script, bounded, with a hash of the
 * name where those alone would be nothing, too much, reserved or another note's.
 * @param isTaken whether a file of this stem is there, on a disk that folds case
 */
export function stemOf(name: string, isTaken: (stem: string) => boolean): string {
  const folded = foldNoteName(name);
  const slug = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  const bounded = boundedSlug(slug);
  if (bounded !== '' && bounded === slug && !isReserved(slug) && !isTaken(slug)) return slug;
  const base = bounded === '' ? 'note' : bounded;
  for (let round = 0; ; round++) {
    const stem = `${base}-${fingerprint(`${folded}\n${round}`).slice(0, 8)}`;
    if (!isTaken(stem)) return stem;
  }
}

function boundedSlug(slug: string): string {
  let taken = '';
  let bytes = 0;
  let count = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    slug,
  )) {
    bytes += new TextEncoder().encode(segment).length;
    if (++count > longestSlug || bytes > longestSlugBytes) break;
    taken += segment;
  }
  return taken.replace(/-+$/, '');
}

function isReserved(slug: string): boolean {
  return isReservedName(slug) || `${slug}.md` === indexPageName.toLowerCase();
}
