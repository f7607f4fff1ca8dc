/**
 * Ids: a prefix for the kind, then a ULID, so that ids sort by creation time
 * (docs/guides/lists.md). `mintId` in store/ creates them, because that needs a clock.
 */

export const PREFIXES = {
  payment: 'pay_',
  attempt: 'att_',
  refund: 'ref_',
  event: 'evt_',
  endpoint: 'we_',
  delivery: 'dlv_',
  replay: 'rpl_',
  merchant: 'mer_',
  user: 'usr_',
  key: 'key_',
  request: 'req_',
  audit: 'aud_',
} as const;

export type IdKind = keyof typeof PREFIXES;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
/** The latest time in a ULID: 48 bits of milliseconds. */
const MAX_TIME_MS = 2 ** 48 - 1;
const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** Returns true if the text has the form of an id of that kind. The id may not exist. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

/** Returns the form of an id of that kind as a regular expression, for schemas. */
export function idPattern(kind: IdKind): string {
  return `^${PREFIXES[kind]}${ULID_PATTERN}$`;
}

/** Returns the time when an id was created, in unix milliseconds. */
export function timeOf(id: string): number {
  const ulid = id.slice(-(TIME_CHARS + RANDOM_CHARS));
  return Array.from(ulid.slice(0, TIME_CHARS)).reduce(
    (ms, char) => ms * 32 + CROCKFORD.indexOf(char),
    0,
  );
}

/**
 * Returns the smallest id of that kind for a time (unix milliseconds, clamped to the times of
 * ULIDs). Turns bounds on the creation time into bounds on `_id`.
 */
export function firstIdAt(kind: IdKind, timeMs: number): string {
  let rest = Math.min(Math.max(Math.trunc(timeMs), 0), MAX_TIME_MS);
  let time = '';
  for (let i = 0; i < TIME_CHARS; i += 1) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return PREFIXES[kind] + time + '0'.repeat(RANDOM_CHARS);
}
