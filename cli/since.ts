/** Parses where reading starts: at an event, at a time, or some time ago. */
import { isId, timeOf as timeOfId } from '../domain/id.ts';
import { invalid } from './refusals.ts';

export type Start =
  | { readonly kind: 'now' }
  /** After that event. */
  | { readonly kind: 'event'; readonly id: string }
  /** At that time, or later. */
  | { readonly kind: 'time'; readonly atMs: number };

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const AGO = /^(\d{1,6})([smhd])$/;
const TIME = /^(\d{4}-\d\d-(\d\d))(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))?$/;

/** Parses the option `name`. "Ago" counts from `nowMs`. Throws `Refusal` for any other text. */
export function parseSince(text: string | undefined, nowMs: number, name = 'since'): Start {
  if (text === undefined) return { kind: 'now' };
  if (isId('event', text)) return { kind: 'event', id: text };
  const [, count = '', unit = ''] = AGO.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  const atMs = unitMs === undefined ? timeOf(text) : nowMs - Number(count) * unitMs;
  if (Number.isNaN(atMs)) {
    const allowed =
      "an event's id (evt_...), a time with its zone (2026-01-31T12:00:00Z), or how long ago " +
      '(10m, 2h, 1d)';
    throw invalid(name, `--${name} ${text}: give ${allowed}.`);
  }
  if (atMs < 0 || atMs > nowMs) {
    throw invalid(name, `--${name} ${text} is ${atMs < 0 ? 'before 1970' : 'in the future'}.`);
  }
  return { kind: 'time', atMs };
}

/** Parses a start and the events to skip: `evt_...,evt_...`, as `listen` prints it. */
export function parseStart(
  text: string | undefined,
  nowMs: number,
): { start: Start; seen: readonly string[] } {
  const [point, ...seen] = text?.split(',') ?? [];
  const wrong = seen.find((id) => !isId('event', id));
  if (wrong === undefined) return { start: parseSince(point, nowMs), seen };
  throw invalid('since', `--since: "${wrong}" is not the id of an event.`);
}

/** Returns the time of the point; `nowMs` is the time of `now`. */
export function pointOf(point: Start, nowMs: number): Date {
  if (point.kind === 'time') return new Date(point.atMs);
  return new Date(point.kind === 'event' ? timeOfId(point.id) : nowMs);
}

/** Returns Unix milliseconds, or NaN. A time needs a zone, so that no machine's zone matters. */
function timeOf(text: string): number {
  const [, date = '', day] = TIME.exec(text) ?? [];
  // Date.parse reads February 30 as March 2.
  const isDay = date !== '' && new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return isDay ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
}
