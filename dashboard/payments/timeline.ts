/** The entries of a payment's timeline. Pure: everything was read before. */
import type { Actor, AuditEntry } from '../../domain/audit.ts';
import { shownUrl } from '../../domain/endpoint.ts';
import type { EventRequest } from '../../domain/event.ts';
import { methodOf } from '../../domain/method.ts';
import { localAmount } from '../../domain/money.ts';
import { endedAt, isAnswered, lastAttempt } from '../../domain/payment.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Refund } from '../../domain/refund.ts';
import type { StaffRequest } from '../request.ts';
import { methodText } from './status.tsx';
import type { Story, StoryEvent } from './story.ts';

type Words = Pick<StaffRequest, 't' | 'locale'>;

export interface Entry {
  /** The id of what the entry is about. */
  readonly id?: string;
  readonly at: Date;
  /** The place in the timeline, in milliseconds: `at`, but never before the cause of the entry. */
  readonly orderMs: number;
  readonly text: string;
  /** A person's comment, or the names of the changed fields. */
  readonly note?: string | null | undefined;
  /** The API request that caused it. */
  readonly request?: EventRequest | null;
  readonly deliveries?: readonly { readonly url: string; readonly delivery: Delivery }[];
  /** True if some of the event's deliveries are left out. */
  readonly isCut?: boolean;
}

/**
 * Returns all entries, oldest first. None is before its cause, even if hosts have different clocks,
 * and those of one moment keep the order of cause and effect.
 */
export function timelineOf(words: Words, story: Story): Entry[] {
  const { payment, events, audit } = story;
  const begin = beginOf(words, story);
  const startMs = begin.at(-1)?.orderMs ?? 0;
  const attempts = payment.attempts.map((attempt) => attemptEntries(words, attempt, startMs));
  const last = attempts.at(-1) ?? [];
  const end = endEntry(words, story, payment.canceled_at ? startMs : latest(last, startMs));
  const endMs = latest(end, startMs);
  // Refunds are newest first.
  const refunds = story.refunds
    .map((refund) => refundEntries(words, story, { refund, endMs }))
    .toReversed();
  const caused = [...begin, ...attempts.flat(), ...end, ...refunds.flat()];
  /** Returns the entry that caused an event. */
  const causeOf = ({ type, cause }: StoryEvent): Entry | undefined => {
    const [about, attemptId] = cause.split(':');
    const ofRefund = refunds.find(([made]) => made?.id === about);
    if (type === 'refund.created') return ofRefund?.[0];
    if (type !== 'payment.attempt_failed') return ofRefund?.at(-1) ?? end[0];
    return attempts.find(([opened]) => opened?.id === attemptId)?.at(-1);
  };
  const causes = new Map(events.map((event) => [event, causeOf(event) ?? caused[0]]));
  const entries = [
    ...caused.flatMap((entry) => [
      entry,
      ...events
        .filter((event) => causes.get(event) === entry)
        .map((event) => eventEntry(words, story, { event, causeMs: entry.orderMs })),
    ]),
    ...audit.flatMap((entry) => auditEntry(words, story, entry)),
  ];
  return entries.toSorted((a, b) => a.orderMs - b.orderMs);
}

const latest = (entries: readonly Entry[], otherwiseMs: number): number =>
  Math.max(otherwiseMs, ...entries.map(({ orderMs }) => orderMs));

/** Returns an entry that is not before its cause. */
function entryAfter(causeMs: number, entry: Omit<Entry, 'orderMs'>): Entry {
  return { ...entry, orderMs: Math.max(causeMs, entry.at.getTime()) };
}

function beginOf({ t }: Words, { payment, keys }: Story): Entry[] {
  const { created_at: at, request_id: id, idem, checkout_opened_at: openedAt } = payment;
  const key = id === undefined ? undefined : keys.get(id);
  const text = key === undefined ? t('story.created') : t('story.created_by', { who: key });
  const request = id === undefined ? null : { id, idempotency_key: idem?.k ?? null };
  const created = entryAfter(0, { at, text, request });
  if (!openedAt) return [created];
  return [created, entryAfter(created.orderMs, { at: openedAt, text: t('story.opened') })];
}

function attemptEntries({ t }: Words, attempt: Attempt, startMs: number): Entry[] {
  const { id, number, opened_at, bank, turned_back_at, gave_up_at } = attempt;
  const method = methodOf(attempt);
  const isTransfer = method.type === 'bank_transfer';
  const text = isTransfer
    ? t('story.transfer', { number, ...method.bank_transfer })
    : t('story.at_bank', { number, card: methodText({ t }, method) });
  const turnedBack = isTransfer ? 'story.transfer_dropped' : 'story.turned_back';
  const opened = entryAfter(startMs, { id, at: opened_at, text });
  const later: (readonly [Date, string])[] = [];
  if (turned_back_at) later.push([turned_back_at, t(turnedBack, { number })]);
  if (gave_up_at) {
    later.push([gave_up_at, t(turned_back_at ? 'story.gave_up' : 'story.silent', { number })]);
  }
  if (bank && isAnswered(attempt)) later.push([bank.decided_at, decisionText({ t }, attempt)]);
  return [opened, ...later.map(([at, said]) => entryAfter(opened.orderMs, { at, text: said }))];
}

function decisionText({ t }: Pick<Words, 't'>, { number, status, bank }: Attempt): string {
  if (bank?.says.answer === 'declined') {
    return t('story.declined', { number, reason: t(`failure.${bank.says.code}`) });
  }
  // An approval counts only while its attempt is open; any other is given back.
  const isGivenBack = status !== 'pending' && status !== 'approved';
  return t(isGivenBack ? 'story.approved_late' : 'story.approved', { number });
}

function endEntry(words: Words, story: Story, causeMs: number): Entry[] {
  const { payment } = story;
  const at = endedAt(payment);
  const text = endText(words, story);
  if (!at || text === undefined) return [];
  return [entryAfter(causeMs, { at, text, note: payment.cancellation?.reason })];
}

/** Returns how the payment ended, in words; undefined if it has not ended. */
export function endText({ t }: Pick<Words, 't'>, story: Story): string | undefined {
  const { payment } = story;
  const { completed_at, expired_at, failed_at, canceled_at, failure_code: code } = payment;
  if (completed_at) return t('story.completed');
  if (expired_at) return t('story.expired');
  if (failed_at) return t('story.failed', { reason: code ? t(`failure.${code}`) : '' });
  if (!canceled_at) return undefined;
  if (payment.cancellation?.by === 'customer') return t('story.canceled_by_customer');
  const event = story.events.find(({ type }) => type === 'payment.canceled');
  const who = whoDid({ t }, story, { objectId: payment._id, request: event?.request });
  return who === undefined ? t('story.canceled_by_merchant') : t('story.canceled_by', { who });
}

/** Returns why the last attempt at paying failed, in words; undefined if it did not. */
export function lastFailure({ t }: Pick<Words, 't'>, { payment }: Story): string | undefined {
  const code = payment.failure_code ?? lastAttempt(payment)?.failure_code;
  return code ? t(`failure.${code}`) : undefined;
}

/** Returns the person, or the name of the API key, that acted; undefined if nobody knows. */
function whoDid(
  { t }: Pick<Words, 't'>,
  { audit, emails, keys }: Story,
  { objectId, request }: { objectId: string; request: EventRequest | null | undefined },
): string | undefined {
  const entry = audit.find(({ action, object }) => MERGED.has(action) && object.id === objectId);
  if (entry) return emails.get(entry.actor.name) ?? entry.actor.name;
  const name = request ? keys.get(request.id) : undefined;
  return name === undefined ? undefined : t('story.key', { name });
}

function refundEntries(
  { t, locale }: Words,
  story: Story,
  { refund, endMs }: { refund: Refund; endMs: number },
): Entry[] {
  const { _id: id, status, currency, initiated_by, created_at, updated_at } = refund;
  const amount = localAmount(refund.amount, currency, locale);
  const event = story.events.find(
    ({ type, cause }) => type === 'refund.created' && cause.startsWith(`${id}:`),
  );
  const who = whoDid({ t }, story, { objectId: id, request: event?.request });
  const text =
    who === undefined
      ? t(`story.refund_by_${initiated_by}`, { amount })
      : t('story.refund_by', { amount, who });
  const note = refund.description;
  const made = entryAfter(endMs, { id, at: created_at, text, note });
  if (status === 'pending') return [made];
  const ended = { at: updated_at, text: t(`story.refund_${status}`, { amount }) };
  return [made, entryAfter(made.orderMs, ended)];
}

function eventEntry(
  { t }: Words,
  { deliveries, urls }: Story,
  { event, causeMs }: { event: StoryEvent; causeMs: number },
): Entry {
  const { _id: id, type, created_at: at, request, isCut } = event;
  const sent = deliveries.filter(({ event_id }) => event_id === id);
  return entryAfter(causeMs, {
    id,
    at,
    text: t('story.event', { type }),
    request,
    isCut,
    deliveries: sent.map((delivery) => ({ delivery, url: urlOf(urls, delivery) })),
  });
}

/** Returns the endpoint's URL without its query, which may contain a token. */
function urlOf(urls: Story['urls'], { endpoint_id }: Delivery): string {
  const url = urls.get(endpoint_id);
  return url === undefined ? endpoint_id : shownUrl(url);
}

/** Actions that the entries of their payment or refund name the person of. */
const MERGED: ReadonlySet<string> = new Set(['payment.cancel', 'refund.create']);

function auditEntry({ t }: Words, story: Story, entry: AuditEntry): Entry[] {
  const { at, actor, action, object, after } = entry;
  if (MERGED.has(action)) return [];
  const who = actorText({ t }, story, actor);
  const text = t('story.act', { who, act: t(`act.${action}`) });
  const changed = after?.['changed'];
  const note = Array.isArray(changed) ? changed.join(', ') : null;
  return [entryAfter(0, { id: object.id, at, text, note })];
}

/** Returns the person or the API key. The API alone for users who see no keys. */
function actorText(
  { t }: Pick<Words, 't'>,
  { emails, keyNames }: Story,
  { type, name }: Actor,
): string {
  if (type !== 'api_key') return emails.get(name) ?? name;
  const key = keyNames.get(name);
  return key === undefined ? 'API' : t('story.key', { name: key });
}
