/** Our line icons, 16 by 16, in the colour of the text around them. Decoration: the words are elsewhere. */
import { html, type TemplateResult } from 'lit';

function icon(path: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
}

export const arrowLeft = icon('M13 8H3.5M7.5 4l-4 4 4 4');
export const arrowRight = icon('M3 8h9.5M8.5 4l4 4-4 4');
export const chevron = icon('M6 4l4 4-4 4');
export const rewind = icon('M7.7 4L3 8l4.7 4zM13 4L8.3 8l4.7 4z');
export const undo = icon('M6.2 2.8L3 6l3.2 3.2M3 6h6.4a3.6 3.6 0 0 1 0 7.2H5.5');
/** A clock that runs backwards. */
export const history = icon('M2.6 8.2a5.4 5.4 0 1 0 1.5-4M4 1.8v2.6h2.6M8 5.2v3.2l2.2 1.3');
/** A plus above a minus. */
export const changes = icon('M8 2.5v6M5 5.5h6M5 12.5h6');
export const warning = icon('M8 2.3l6 11H2zM8 6.5v3M8 11.2v.5');
export const failure = icon('M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2M6 6l4 4M10 6l-4 4');
/** A camera. */
export const camera = icon(
  'M2 5h2.6l1-1.6h4.8l1 1.6H14v8H2zM8 6.6a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 1 1 0-4.6',
);
export const empty = icon('M5 2v12M5 4.5h6M5 8h8M5 11.5h4');
