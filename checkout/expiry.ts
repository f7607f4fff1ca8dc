/** The expiry date of a card, which is valid to the end of its month. */
import type { TextKey } from './text.ts';

/** A date as people type it: `12/30`, `1230`, `12 / 2030`. */
const TYPED = /^(?<month>0?[1-9]|1[0-2])\s*[/.\-\s]?\s*(?<year>\d{2}|\d{4})$/;
/** A date as some browsers fill it in: `2030-12`. */
const FILLED_IN = /^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])$/;

const HOUR_MS = 60 * 60 * 1000;
/** A month ends last at UTC-12, and begins first at UTC+14. */
const LAST_ZONE_MS = 12 * HOUR_MS;
const FIRST_ZONE_MS = 14 * HOUR_MS;

/** Banks issue cards for up to ten years. A date that is further ahead is a mistake. */
const MAX_MONTHS = 20 * 12;

/** Returns the error of the date at `now`; undefined if the card may still be valid anywhere. */
export function checkExpiry(typed: string, now: Date): TextKey | undefined {
  const { year = '', month = '' } = (TYPED.exec(typed) ?? FILLED_IN.exec(typed))?.groups ?? {};
  if (year === '') return 'error.expiry';
  // Counted from January of the year 0.
  const months = Number(year.padStart(4, '20')) * 12 + Number(month) - 1;
  if (months < monthsAt(now.getTime() - LAST_ZONE_MS)) return 'error.expiry_past';
  if (months > monthsAt(now.getTime() + FIRST_ZONE_MS) + MAX_MONTHS) return 'error.expiry_far';
  return undefined;
}

/** Returns the month in UTC at that time. */
function monthsAt(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
