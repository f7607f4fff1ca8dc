/** Times in the form of RFC 3339. */

const RFC_3339 = /^(\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2}(?:\.(\d{1,9}))?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Returns the time of an RFC 3339 date-time in Unix milliseconds, or undefined if the text is not
 * one. `hasRest` is true if the text has a smaller fraction, which `ms` leaves out.
 */
export function parseTime(text: string) {
  const [, date, day, fraction = ''] = RFC_3339.exec(text) ?? [];
  if (date === undefined) return undefined;
  const ms = Date.parse(text.toUpperCase());
  // Date.parse reads February 30 as March 2.
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(ms) || !isDay) return undefined;
  return { ms, hasRest: /[1-9]/.test(fraction.slice(3)) };
}
