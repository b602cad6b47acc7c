/** A button of a page's header that goes one turn back or on. */
import { html, type TemplateResult } from 'lit';

export interface Step {
  readonly act: string;
  readonly label: string;
  /** What it does and does not besides: a sentence of its tooltip. */
  readonly hint?: string;
  readonly content: TemplateResult;
  readonly key: string;
  readonly atEnd: boolean;
}

/** At an end the button stays focusable: the key that led there must not throw the focus away. */
export function stepButton({ act, label, hint, content, key, atEnd }: Step): TemplateResult {
  const keyed = `${label} (${key})`;
  return html`<vscode-button
    appearance="icon"
    class="step"
    data-act=${act}
    aria-label=${label}
    .ariaDisabled=${atEnd ? 'true' : null}
    .ariaKeyshortcuts=${key}
    title=${hint === undefined ? keyed : `${keyed}\n${hint}`}
    ><span class="stepContent">${content}</span></vscode-button
  >`;
}
