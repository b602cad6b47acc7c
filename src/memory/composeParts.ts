/** The pieces that a composed memory is made of, each with how it is shortened. Pure. */
import type { ComposedSource } from '../core/composedMemory.ts';
import type { FactSheet, NoteSummary } from '../core/memory.ts';
import type { Preset } from '../core/presets.ts';
import { utf8Length } from '../core/tokenEstimate.ts';
import { cutText } from './cutText.ts';
import type { LoadedDocument } from './documents.ts';
import { closing, framed, opening } from './frame.ts';
import type { PortraitText } from './portrait.ts';

export type Group = 'preset' | 'portrait' | 'facts' | 'notes' | 'documents';

export interface Part {
  readonly group: Group;
  readonly source: Omit<ComposedSource, 'given'>;
  /** With its frame and a final newline. */
  readonly whole: string;
  /** At most so many bytes with its frame, what is missing named; undefined when that is too little for anything. */
  readonly shortened: (
    bytes: number,
  ) => { readonly text: string; readonly given: number } | undefined;
}

type Attributes = Readonly<Record<string, string>>;

/** Less of a text than this is not worth its frame. */
const leastText = 40;

export function presetPart({ name, content }: Preset, file: string): Part {
  const attributes = { kind: 'preset', name, role: 'instructions' };
  const source = { kind: 'preset', label: name, file } as const;
  return textPart('preset', attributes, source, content);
}

export function portraitPart({ label, file, text }: PortraitText): Part {
  const attributes = { kind: 'portrait', source: label, role: 'background' };
  return textPart('portrait', attributes, { kind: 'portrait', label, file }, text);
}

export function documentPart({ scope, label, file, text }: LoadedDocument): Part {
  const attributes = { kind: 'document', scope, path: label, role: 'instructions' };
  return textPart('documents', attributes, { kind: 'document', label, file }, text);
}

export function factsPart({ scope, facts }: FactSheet, file: string): Part {
  const lines = facts.map(({ key, value }) => `${key}: ${value}`);
  const source = { kind: 'fact', label: scope, file } as const;
  return linesPart(
    'facts',
    { kind: 'facts', scope, role: 'background' },
    source,
    lines,
    (count) => `[${count} of ${lines.length} facts are left out here]`,
  );
}

/** @param notes in the order of importance */
export function notesPart(notes: readonly NoteSummary[]): Part {
  const lines = notes.map(
    ({ name, hook, scope }) => `- ${name}${scope === 'project' ? ' (this project)' : ''}: ${hook}`,
  );
  const source = {
    kind: 'note',
    label: notes.length === 1 ? '1 note' : `${notes.length} notes`,
    file: null,
  } as const;
  return linesPart(
    'notes',
    { kind: 'notes', role: 'background' },
    source,
    lines,
    (count) =>
      `[${count} of ${lines.length} notes are left out here, older ones first; recall finds them]`,
  );
}

function textPart(
  group: Group,
  attributes: Attributes,
  source: Omit<ComposedSource, 'given' | 'size'>,
  text: string,
): Part {
  const body = framed(text);
  const size = utf8Length(body);
  const frame = utf8Length(framedBy(attributes, ''));
  return {
    group,
    source: { ...source, size },
    whole: framedBy(attributes, body),
    shortened: (bytes) => {
      // Numbers have at most as many digits as here.
      const notice = (given: number) =>
        `\n[cut here: ${size - given} of ${size} bytes are left out; the whole is in ${framed(source.label)}]`;
      const room = bytes - frame - utf8Length(notice(0));
      if (room < leastText) return undefined;
      const cut = cutText(body, room);
      const given = utf8Length(cut);
      return { text: framedBy(attributes, cut + notice(given)), given };
    },
  };
}

function linesPart(
  group: Group,
  attributes: Attributes,
  source: Omit<ComposedSource, 'given' | 'size'>,
  unsafe: readonly string[],
  notice: (left: number) => string,
): Part {
  const lines = unsafe.map((line) => framed(line.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')));
  const body = lines.join('\n');
  return {
    group,
    source: { ...source, size: utf8Length(body) },
    whole: framedBy(attributes, body),
    shortened: (bytes) => {
      let room = bytes - utf8Length(framedBy(attributes, `${notice(lines.length)}\n`));
      const kept: string[] = [];
      for (const line of lines) {
        room -= utf8Length(line) + 1;
        if (room < 0) break;
        kept.push(line);
      }
      if (kept.length === 0) return undefined;
      const text = framedBy(attributes, [...kept, notice(lines.length - kept.length)].join('\n'));
      return { text, given: utf8Length(kept.join('\n')) };
    },
  };
}

function framedBy(attributes: Attributes, body: string): string {
  return `${opening(attributes)}\n${body}\n${closing}\n`;
}
