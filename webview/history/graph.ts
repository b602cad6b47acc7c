/** One line of the graph as a picture: lanes that run past, the turn's own point, branches that fork from it. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { HistoryRow } from '../../src/protocol/historyMessages.ts';
import { rowHeight } from '../listWindow.ts';

const laneWidth = 14;
const point = 14;

/** Pixels that the graph takes. */
export function graphWidth(lanes: number): number {
  return 10 + lanes * laneWidth;
}

/** The newest is at the top: lines to later turns go up. */
export function graph(row: HistoryRow, lanes: number, isCurrent: boolean): TemplateResult {
  const width = graphWidth(lanes);
  const x = (lane: number): number => 12 + lane * laneWidth;
  const own = x(row.lane);
  const colour = (lane: number): number => lane % 6;
  const straight = (lane: number, from: number, to: number) =>
    svg`<path class="lane" data-colour=${colour(lane)} d=${`M${x(lane)} ${from}V${to}`} />`;
  return html`<svg class="graph" width=${width} height=${rowHeight} viewBox=${`0 0 ${width} ${rowHeight}`} aria-hidden="true">
    ${row.through.map((lane) => straight(lane, 0, rowHeight))}
    ${row.toAfter ? straight(row.lane, 0, point) : nothing}
    ${row.fromBefore ? straight(row.lane, point, rowHeight) : nothing}
    ${row.forks.map(
      (lane) =>
        svg`<path class="lane" data-colour=${colour(lane)} d=${`M${own} ${point}C${x(lane)} ${point} ${x(lane)} ${point} ${x(lane)} 0`} />`,
    )}
    ${isCurrent ? svg`<circle class="ring" cx=${own} cy=${point} r="6.5" />` : nothing}
    <circle class="point" data-colour=${colour(row.lane)} data-end=${row.end} cx=${own} cy=${point} r="4" />
  </svg>`;
}
