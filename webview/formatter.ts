/** Times, days and counts in the host's language. One per language: the Intl objects are dear. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export class Formatter {
  readonly locale: string;
  readonly #narrow: Intl.RelativeTimeFormat;
  readonly #long: Intl.RelativeTimeFormat;
  readonly #absolute: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #dayWithYear: Intl.DateTimeFormat;
  readonly #number: Intl.NumberFormat;

  constructor(locale: string) {
    this.locale = knownLocale(locale);
    this.#narrow = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto', style: 'narrow' });
    this.#long = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' });
    this.#absolute = new Intl.DateTimeFormat(this.locale, {
      dateStyle: 'full',
      timeStyle: 'medium',
    });
    const dayParts = { weekday: 'long', day: 'numeric', month: 'long' } as const;
    this.#day = new Intl.DateTimeFormat(this.locale, dayParts);
    this.#dayWithYear = new Intl.DateTimeFormat(this.locale, { ...dayParts, year: 'numeric' });
    this.#number = new Intl.NumberFormat(this.locale);
  }

  /** `3m ago`; null in the first minute, for which there is a word of its own. */
  relative(at: number, now: number, style: 'narrow' | 'long' = 'narrow'): string | null {
    const format = style === 'narrow' ? this.#narrow : this.#long;
    const age = Math.max(0, now - at);
    if (age < minute) return null;
    if (age < hour) return format.format(-Math.floor(age / minute), 'minute');
    if (age < day) return format.format(-Math.floor(age / hour), 'hour');
    if (age < 30 * day) return format.format(-Math.floor(age / day), 'day');
    if (age < 365 * day) return format.format(-Math.floor(age / (30 * day)), 'month');
    return format.format(-Math.floor(age / (365 * day)), 'year');
  }

  absolute(at: number): string {
    return this.#absolute.format(at);
  }

  /** `Today`, `Yesterday`, `Monday, June 1`. */
  dayHeading(at: number, now: number): string {
    const days = Math.round((startOfDay(now) - startOfDay(at)) / day);
    if (days === 0 || days === 1) return capitalised(this.#long.format(-days, 'day'), this.locale);
    const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
    return capitalised((sameYear ? this.#day : this.#dayWithYear).format(at), this.locale);
  }

  /** `48s`, `3m 20s`, `1h 5m`. */
  duration(milliseconds: number): string {
    const seconds = Math.max(0, Math.round(milliseconds / 1000));
    if (seconds < 60) return this.#unit(seconds, 'second');
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return this.#pair(minutes, 'minute', seconds % 60, 'second');
    return this.#pair(Math.floor(minutes / 60), 'hour', minutes % 60, 'minute');
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  #pair(major: number, majorUnit: string, minor: number, minorUnit: string): string {
    const first = this.#unit(major, majorUnit);
    return minor === 0 ? first : `${first} ${this.#unit(minor, minorUnit)}`;
  }

  #unit(value: number, unit: string): string {
    const options = { style: 'unit', unit, unitDisplay: 'narrow' } as const;
    return new Intl.NumberFormat(this.locale, options).format(value);
  }
}

/** Whether two moments lie on the same calendar day here. */
export function sameDay(a: number, b: number): boolean {
  return startOfDay(a) === startOfDay(b);
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function capitalised(text: string, locale: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(locale) + rest.join('');
}

function knownLocale(locale: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0] ?? 'en';
  } catch (error) {
    // A malformed tag is a RangeError; the page then speaks English rather than not at all.
    if (error instanceof RangeError) return 'en';
    throw error;
  }
}
