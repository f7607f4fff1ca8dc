/** Times as RFC 3339 writes them. */

const RFC_3339 = /^(\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2}(?:\.(\d{1,9}))?(?:Z|[+-]\d{2}:\d{2})$/i;

export interface Moment {
  /** Unix milliseconds, rounded down. */
  readonly ms: number;
  /** Whether the text is later than `ms` by a part of a millisecond. */
  readonly hasRest: boolean;
}

/** The moment that an RFC 3339 date-time names; undefined when it is none. */
export function parseTime(text: string): Moment | undefined {
  const [, date, day, fraction = ''] = RFC_3339.exec(text) ?? [];
  if (date === undefined) return undefined;
  const ms = Date.parse(text.toUpperCase());
  // Date.parse takes February 30 for March 2.
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(ms) || !isDay) return undefined;
  return { ms, hasRest: /[1-9]/.test(fraction.slice(3)) };
}
