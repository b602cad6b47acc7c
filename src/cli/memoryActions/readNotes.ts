import path from 'node:path';
import type { NoteSummary } from '../../core/memory.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime } from '../moment.ts';
import { counted } from '../previewText.ts';
import { wholeNumber } from '../sessionActions/meantSession.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { needed, openMemory, originText, scopeOf, when } from './memoryWords.ts';

/** The notes, without their texts. */
export async function listNotes(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const notes = await memory.list(root, { scope: scopeOf(call), mode: call.option('mode') });
  const waiting = (await memory.pending(root)).length;
  const { out } = context;
  if (out.json) out.value({ notes, pending: waiting });
  else if (notes.length === 0) out.line('No notes yet. Make one: memcode-timeline memory remember');
  else printNotes(notes, context);
  // A folder that was moved starts with an empty memory.
  const moved = notes.some(({ scope }) => scope === 'project') ? [] : await memory.orphans();
  for (const place of out.json ? [] : moved.filter((each) => nameOf(each) === nameOf(root)))
    out.line(
      styled(
        'yellow',
        `There is memory of ${place}, which is gone. If it was this folder: memory adopt`,
      ),
    );
  if (!out.json && waiting > 0)
    out.line(
      styled(
        'yellow',
        `${counted(waiting, 'write')} of agents wait: memcode-timeline memory pending`,
      ),
    );
  return 0;
}

/** What a folder is called; that of a repository stands for the folder it is in. */
function nameOf(place: string): string {
  const folder = path.basename(place) === '.git' ? path.dirname(place) : place;
  return path.basename(folder);
}

export function printNotes(notes: readonly NoteSummary[], context: CliContext): void {
  context.out.table(
    [
      { title: 'NOTE' },
      { title: 'SCOPE' },
      { title: 'CHANGED' },
      { title: 'BY' },
      { title: '', flexible: true },
    ],
    notes.map((note) => [
      styled('bold', note.name),
      note.mode === null ? note.scope : `${note.scope}, ${note.mode}`,
      when(note.updatedAt, context),
      originText(note.origin),
      [
        note.pinned ? styled('cyan', 'pinned ') : '',
        note.isShadowed ? styled('dim', 'shadowed ') : '',
        styled('dim', note.hook),
      ],
    ]),
  );
}

/** One note with its text. */
export async function showNote(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const note = await memory.show(root, needed(call, 1, 'note'), scopeOf(call));
  const { out, host } = context;
  if (out.json) {
    out.value({ note });
    return 0;
  }
  const { origin, createdAt, updatedAt } = note;
  out.line([styled('bold', note.name), styled('dim', ` ${note.scope}, ${note.path}`)]);
  out.line(
    styled(
      'dim',
      `made ${absoluteTime(createdAt, host.timeZone)}, changed ${absoluteTime(updatedAt, host.timeZone)}, ${originText(origin)}${origin?.turn === undefined ? '' : `, turn ${origin.turn}`}`,
    ),
  );
  out.line();
  for (const line of note.body.split('\n')) out.line(line);
  return 0;
}

/** Notes found by words, with their texts in JSON. */
export async function recallNotes(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const limit = call.option('limit');
  const found = await memory.recall(root, {
    words: needed(call, 1, 'words'),
    scope: scopeOf(call),
    mode: call.option('mode'),
    ...(limit !== undefined && { limit: wholeNumber(limit, '--limit') }),
  });
  const { out } = context;
  if (out.json) {
    out.value(found);
    return 0;
  }
  if (found.notes.length === 0) out.line('Nothing is known of that. All notes: memory list');
  else if (!found.hasAllWords)
    out.line(styled('dim', 'No note has all the words; these have some.'));
  for (const note of found.notes) {
    out.line([
      styled('bold', note.name),
      styled('dim', ` ${note.scope}, ${when(note.updatedAt, context)}, ${originText(note.origin)}`),
    ]);
    out.line(`  ${note.excerpt}`);
  }
  if (found.more > 0) out.line(styled('dim', `${found.more} more; --limit shows them.`));
  return 0;
}
