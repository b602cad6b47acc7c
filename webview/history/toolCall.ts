/** A tool call of a turn: folded, since there are many; what the agent said before it stands open. */
import { html, nothing, type TemplateResult } from 'lit';
import type { InputField } from '../../src/core/toolInput.ts';
import type { MessageView } from '../../src/protocol/historyMessages.ts';
import { cutButton, words } from './messageParts.ts';
import type { HistorySpeech } from './speech.ts';

const shownInput = 120;
/** Switches and numbers do not say what a call is about. */
const tellsNothing = /^(|true|false|null|-?\d+(\.\d+)?)$/;

/** @param isFound a search led here: it is open at first */
export function toolCall(
  message: MessageView,
  turn: string,
  isFound: boolean,
  speech: HistorySpeech,
): TemplateResult {
  const { t, format } = speech;
  const name = message.name ?? t('tool');
  return html`<section class="message" data-role="tool" data-message=${message.id} data-found=${isFound ? '' : nothing}>
    ${
      message.said === null || message.said.trim() === ''
        ? nothing
        : html`<div class="said" role="group" aria-label=${t('said', name)}>${words(message.said, speech)}</div>`
    }
    <details ?open=${isFound}>
      <summary>
        <span class="toolName">${name}</span
        ><code class="toolInput">${inBrief(message.input)}</code
        >${message.failed ? html`<span class="chip" data-kind="failed">${t('toolFailed')}</span>` : nothing}${
          message.duration === null
            ? nothing
            : html`<span class="quiet">${format.duration(message.duration)}</span>`
        }
      </summary>
      ${inputOf(message.input, speech)}
      ${
        message.content.trim() === ''
          ? html`<p class="quiet">${t('noResult')}</p>`
          : html`<h4>${t('toolResult')}</h4>${block(message.content)}`
      }
      ${message.cut ? cutButton(message.id, turn, speech) : nothing}
    </details>
  </section>`;
}

function inputOf(fields: readonly InputField[], { t }: HistorySpeech): unknown {
  if (fields.length === 0) return nothing;
  return html`<h4>${t('toolInput')}</h4>
    <dl class="fields">${fields.map(field)}</dl>`;
}

/** Key and value beside each other, or the value below its key when it has several lines. */
function field({ key, text }: InputField): TemplateResult {
  if (key === '') return html`<div><dd>${block(text)}</dd></div>`;
  const value = isOneLine(text) ? html`<code>${text === '' ? '""' : text}</code>` : block(text);
  return html`<div class=${isOneLine(text) ? 'short' : 'long'}><dt>${key}</dt><dd>${value}</dd></div>`;
}

function block(text: string): TemplateResult {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function isOneLine(text: string): boolean {
  return !/[\r\n]/.test(text);
}

/** The values of one line say what it is about: a file, a command. */
function inBrief(fields: readonly InputField[]): string {
  const short = fields.filter(({ text }) => isOneLine(text) && !tellsNothing.test(text.trim()));
  const all = (short.length > 0 ? short : fields.slice(0, 1)).map(({ text }) => text.trim());
  const line = all.join(' · ').split(/[\r\n]/, 1)[0] ?? '';
  return line.length > shownInput ? `${line.slice(0, shownInput).toWellFormed()}…` : line;
}
