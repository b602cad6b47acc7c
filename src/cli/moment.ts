/** Times as the CLI writes them. Pure: the clock and the time zone are arguments. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, and the date from a month on. */
export function relativeTime(at: number, now: number, timeZone: string): string {
  const ago = now - at;
  if (ago < minute) return 'just now';
  if (ago < hour) return `${Math.floor(ago / minute)} min ago`;
  if (ago < day) return `${Math.floor(ago / hour)} h ago`;
  if (ago < 2 * day) return 'yesterday';
  if (ago < 30 * day) return `${Math.floor(ago / day)} days ago`;
  return absoluteTime(at, timeZone).slice(0, 10);
}

/** `2026-03-05 09:30:00` in that zone. */
export function absoluteTime(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')}`;
}

/** `4 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  return pair(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
