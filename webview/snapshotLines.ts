/** Snapshots of the whole folder, as lines between turns: what has changed since, and the way back. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RowSnapshot } from '../src/protocol/messages.ts';
import { camera, rewind } from './icons.ts';
import { relativeTime, type Speech } from './turnText.ts';

export function snapshotLines(
  snapshots: readonly RowSnapshot[],
  tabbable: boolean,
  speech: Speech,
): TemplateResult | typeof nothing {
  if (snapshots.length === 0) return nothing;
  return html`<div class="snapshots">
    ${repeat(
      snapshots,
      ({ id }) => id,
      (snapshot) => line(snapshot, tabbable, speech),
    )}
  </div>`;
}

function line({ id, label, at }: RowSnapshot, tabbable: boolean, speech: Speech): TemplateResult {
  const { t, format } = speech;
  const restoring = t('restoreSnapshot', label);
  return html`<div class="snapshot">
    <button
      type="button"
      class="compare"
      data-act="compareSnapshot"
      data-snapshot=${id}
      data-spot=${`snapshot-${id}`}
      tabindex=${tabbable ? 0 : -1}
      aria-label=${t('compareSnapshot', label, relativeTime(at, speech, 'long'))}
      title=${t('compareSnapshot', label, format.absolute(at))}
    >
      ${camera}<span class="label" dir="auto">${label}</span
      ><time>${relativeTime(at, speech, 'narrow')}</time>
    </button>
    <vscode-button
      appearance="icon"
      data-act="restoreSnapshot"
      data-snapshot=${id}
      data-spot=${`restore-${id}`}
      tabindex=${tabbable ? 0 : -1}
      aria-label=${restoring}
      title=${restoring}
      >${rewind}</vscode-button
    >
  </div>`;
}
