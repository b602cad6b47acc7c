/** The files of one turn, as buttons that open their diff. */
import { html, nothing, type TemplateResult } from 'lit';
import type { TouchSummary } from '../src/core/timeline.ts';
import type { TurnRow } from '../src/protocol/messages.ts';
import { lineCounts } from './lineCounts.ts';
import {
  changeLetters,
  isStored,
  linesOf,
  linesSpoken,
  plainPath,
  type Speech,
} from './turnText.ts';

export function fileList(row: TurnRow, tabbable: boolean, speech: Speech): TemplateResult {
  const { t, format } = speech;
  return html`<ul class="files" aria-label=${t('changedFiles', row.number)}>
    ${row.files.map((file, place) => html`<li>${fileButton(row, file, place, tabbable, speech)}</li>`)}
    ${
      row.files.length === row.fileCount
        ? nothing
        : html`<li>
            <button
              type="button"
              class="more"
              data-act="openTurn"
              data-spot="more"
              tabindex=${tabbable ? 0 : -1}
            >
              ${t('allFiles', format.number(row.fileCount))}
            </button>
          </li>`
    }
  </ul>`;
}

function fileButton(
  row: TurnRow,
  file: TouchSummary,
  place: number,
  tabbable: boolean,
  speech: Speech,
): TemplateResult {
  const { folder, name } = splitPath(plainPath(file.path));
  const cause = causeWord(file, speech);
  return html`<button
    type="button"
    class="file"
    data-act="openDiff"
    data-path=${file.path}
    data-spot=${`file-${place}`}
    data-vscode-context=${JSON.stringify({ turn: row.id, path: file.path, restorable: isStored(row) || row.imported === true })}
    tabindex=${tabbable ? 0 : -1}
    aria-label=${spokenFile(file, speech)}
    title=${plainPath(file.path)}
  >
    <span class="name"><bdi>${name}</bdi></span>
    <span class="folder"><bdi>${folder}</bdi></span>
    ${cause === null ? nothing : html`<span class="cause">${cause}</span>`}
    ${lineCounts(linesOf(file), speech)}
    <span class="letter" data-change=${file.change}>${changeLetters[file.change]}</span>
  </button>`;
}

function spokenFile(file: TouchSummary, speech: Speech): string {
  const { t } = speech;
  const lines = linesOf(file);
  const parts = [
    t('openDiff', plainPath(file.path)),
    t(file.change),
    causeWord(file, speech) ?? '',
    lines === null ? '' : linesSpoken(lines, speech),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function causeWord({ cause, uncertain }: TouchSummary, { t }: Speech): string | null {
  if (uncertain) return t('perhapsByShell');
  if (cause === 'shell') return t('byShell');
  return cause === 'memory' ? t('byMemory') : null;
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}
