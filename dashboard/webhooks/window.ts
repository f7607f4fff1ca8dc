/** The window and the selection of a replay, as forms have them. */
import { REPEATABLE_STATES } from '../../domain/replay.ts';
import type { ReplayRequest } from '../../operations/replay.ts';
import { Refusal } from '../../operations/refusal.ts';
import { eventsOf, failuresIn } from '../../operations/selection.ts';
import type { Form } from '../form.ts';
import { chosenEvents } from './events.tsx';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `deliveries`: what the endpoint has not accepted. `events`: events, accepted before or not. */
export const KINDS = ['deliveries', 'events'] as const;
export type Kind = (typeof KINDS)[number];

/** The longest window: everything in it is counted before the response. */
const MAX_DAYS: Readonly<Record<Kind, number>> = { deliveries: 92, events: 31 };

/** Returns the kind of that name, by default that of what failed. */
export function readKind(name: unknown): Kind {
  return KINDS.find((kind) => kind === name) ?? 'deliveries';
}

/** Returns what the form asks for. Throws `Refusal` for a time or a selection that is wrong. */
export function readWindow(form: Form, endpoint: string, now: Date): ReplayRequest {
  const from = readTime(form, 'since') ?? new Date(now.getTime() - DAY_MS);
  const until = readTime(form, 'until') ?? now;
  const days = MAX_DAYS[readKind(form.get('kind'))];
  if (until.getTime() - from.getTime() > days * DAY_MS) {
    throw Refusal.ofParam('since', `The window has at most ${days} days.`);
  }
  return { endpoint, from, until, selection: readSelection(form) };
}

function readSelection(form: Form) {
  if (readKind(form.get('kind')) === 'events') return eventsOf({ events: chosenEvents(form) });
  const states = form.all('state');
  if (states.length > 0) return failuresIn(states.join(','));
  throw Refusal.ofParam('state', `Choose one or more of ${REPEATABLE_STATES.join(', ')}.`);
}

/** The form of a field of type `datetime-local`. */
const LOCAL = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** Returns the time of a field in UTC, or undefined if the field is empty. */
function readTime(form: Form, name: 'since' | 'until'): Date | undefined {
  const text = form.get(name);
  if (text === '') return undefined;
  const [, day] = LOCAL.exec(text) ?? [];
  const at = new Date(`${text}Z`);
  // JavaScript reads February 30 as March 2.
  if (day !== undefined && at.getUTCDate() === Number(day)) return at;
  throw Refusal.ofParam(name, 'Give a date and a time, such as 2026-01-31T12:00.');
}

/** Returns a time as the value of such a field, to the second below. */
export function fieldTime(at: Date): string {
  return at.toISOString().slice(0, 19);
}
