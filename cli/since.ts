/** Where reading begins: at an event, a time, or how long ago. */
import { isId, timeOf as timeOfId } from '../domain/id.ts';
import { Refusal } from '../operations/refusal.ts';

export type Start =
  | { readonly kind: 'now' }
  /** With what happens after that event. */
  | { readonly kind: 'event'; readonly id: string }
  /** With what happens at or after that time. */
  | { readonly kind: 'time'; readonly atMs: number };

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const AGO = /^(\d{1,6})([smhd])$/;
const TIME = /^(\d{4}-\d\d-(\d\d))(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))?$/;

/**
 * Throws `Refusal` for what is none of these; `nowMs` is the time that "ago" is counted from, and
 * `name` the option's.
 */
export function parseSince(text: string | undefined, nowMs: number, name = 'since'): Start {
  if (text === undefined) return { kind: 'now' };
  if (isId('event', text)) return { kind: 'event', id: text };
  const [, count = '', unit = ''] = AGO.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  const atMs = unitMs === undefined ? timeOf(text) : nowMs - Number(count) * unitMs;
  if (Number.isNaN(atMs)) {
    const message =
      `--${name} ${text}: give an event's id (evt_...), a time with its zone ` +
      '(2026-01-31T12:00:00Z), or how long ago (10m, 2h, 1d).';
    throw new Refusal('parameter_invalid', { message, param: name });
  }
  if (atMs < 0 || atMs > nowMs) {
    const where = atMs < 0 ? 'before 1970, when time begins here' : 'in the future';
    throw new Refusal('parameter_invalid', {
      message: `--${name} ${text} is ${where}.`,
      param: name,
    });
  }
  return { kind: 'time', atMs };
}

/** The same with events behind it that are done with: `evt_...,evt_...`, as `listen` prints it. */
export function parseStart(
  text: string | undefined,
  nowMs: number,
): { start: Start; seen: readonly string[] } {
  const [point, ...seen] = text?.split(',') ?? [];
  const wrong = seen.find((id) => !isId('event', id));
  if (wrong === undefined) return { start: parseSince(point, nowMs), seen };
  throw new Refusal('parameter_invalid', {
    message: `--since: "${wrong}" is no event's id.`,
    param: 'since',
  });
}

/** Returns the time of the point; `nowMs` is the time of `now`. */
export function pointOf(point: Start, nowMs: number): Date {
  if (point.kind === 'time') return new Date(point.atMs);
  return new Date(point.kind === 'event' ? timeOfId(point.id) : nowMs);
}

/** A time without a zone would mean something else on each machine; a date is one of UTC. */
function timeOf(text: string): number {
  const [, date = '', day] = TIME.exec(text) ?? [];
  // Date.parse takes February 30 for March 2.
  const isDay = date !== '' && new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return isDay ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
}
