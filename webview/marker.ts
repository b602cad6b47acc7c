/** The point of a turn on the timeline's line. Its shape tells how the turn ended; a ring around it, where we are. */
import { html, nothing, type TemplateResult } from 'lit';
import type { TurnEnd } from '../src/core/timeline.ts';

type Shape = 'dot' | 'hollow' | 'bar' | 'cross' | 'dashed' | 'busy';

const shapes: Readonly<Record<TurnEnd, Shape>> = {
  running: 'busy',
  stop: 'dot',
  interrupt: 'bar',
  failed: 'cross',
  nextPrompt: 'hollow',
  sessionEnd: 'hollow',
  stale: 'hollow',
};

export function marker(end: TurnEnd, rewound: boolean, current: boolean): TemplateResult {
  const shape = rewound ? 'dashed' : shapes[end];
  return html`<svg class="marker" data-shape=${shape} viewBox="0 0 16 16" aria-hidden="true">
    ${current ? html`<svg viewBox="0 0 16 16"><circle class="ring" cx="8" cy="8" r="6.75" /></svg>` : nothing}
    <circle class="body" cx="8" cy="8" r="3.5" />
    ${sign(shape)}
  </svg>`;
}

function sign(shape: Shape): TemplateResult | typeof nothing {
  const path = { bar: 'M6 8h4', cross: 'M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4' };
  if (shape !== 'bar' && shape !== 'cross') return nothing;
  return html`<svg viewBox="0 0 16 16"><path class="sign" d=${path[shape]} /></svg>`;
}
