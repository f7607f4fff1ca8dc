/** The entries of a payment's timeline. Pure: everything was read before. */
import type { AuditEntry } from '../../domain/audit.ts';
import { isAnswered } from '../../domain/payment.ts';
import type { FailureCode } from '../../domain/bank.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Event, EventRequest } from '../../domain/event.ts';
import { localAmount } from '../../domain/money.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import type { PaymentRow, RefundRow } from '../../store/rows.ts';
import type { StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';
import { cardText } from './status.tsx';
import type { Story } from './story.ts';

type Words = Pick<StaffRequest, 't' | 'locale'>;

export interface Entry {
  readonly at: Date;
  readonly text: string;
  /** Ids and other texts for developers, with their names. */
  readonly details?: readonly (readonly [name: string, value: string])[];
  readonly deliveries?: readonly { readonly url: string; readonly delivery: Delivery }[];
}

/** Returns all entries, oldest first. Those of one moment keep the order of cause and effect. */
export function timelineOf(words: Words, story: Story): Entry[] {
  const { payment, refunds, events, audit } = story;
  const entries = [
    createdEntry(words, payment),
    ...openedEntry(words, payment),
    ...payment.attempts.flatMap((attempt) => attemptEntries(words, attempt)),
    ...audit.map((entry) => auditEntry(words, story, entry)),
    ...endEntry(words, payment),
    ...refunds.flatMap((refund) => refundEntries(words, refund)),
    ...events.map((event) => eventEntry(words, story, event)),
  ];
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function createdEntry({ t }: Words, { created_at: at, request_id, idem }: PaymentRow): Entry {
  const details = detailsOf({ 'Request-Id': request_id, 'Idempotency-Key': idem?.k });
  return { at, text: t('story.created'), details };
}

function detailsOf(named: Readonly<Record<string, string | null | undefined>>) {
  const entries = Object.entries(named);
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function openedEntry({ t }: Words, { checkout_opened_at: at }: PaymentRow): Entry[] {
  return at ? [{ at, text: t('story.opened') }] : [];
}

function attemptEntries({ t }: Words, attempt: Attempt): Entry[] {
  const { id, number, card, opened_at, bank, turned_back_at, gave_up_at } = attempt;
  const sent = t('story.at_bank', { number, card: cardText(card) });
  return [
    { at: opened_at, text: sent, details: [['Attempt', id]] },
    ...(turned_back_at ? [{ at: turned_back_at, text: t('story.turned_back', { number }) }] : []),
    ...(gave_up_at ? [{ at: gave_up_at, text: t('story.gave_up', { number }) }] : []),
    ...(bank && isAnswered(attempt)
      ? [{ at: bank.decided_at, text: decisionText({ t }, attempt) }]
      : []),
  ];
}

function decisionText({ t }: Pick<Words, 't'>, { number, status, bank }: Attempt): string {
  if (bank?.says.answer === 'declined') {
    return t('story.declined', { number, reason: t(`failure.${bank.says.code}`) });
  }
  // An approval counts only while its attempt is open; any other is given back.
  const isGivenBack = status !== 'pending' && status !== 'approved';
  return t(isGivenBack ? 'story.approved_late' : 'story.approved', { number });
}

function endEntry({ t }: Words, payment: PaymentRow): Entry[] {
  const { completed_at, failed_at, canceled_at, expired_at, failure_code, cancellation } = payment;
  if (completed_at) return [{ at: completed_at, text: t('story.completed') }];
  if (expired_at) return [{ at: expired_at, text: t('story.expired') }];
  if (failed_at) {
    const reason = failure_code ? t(failureKey(failure_code)) : '';
    return [{ at: failed_at, text: t('story.failed', { reason }) }];
  }
  if (!canceled_at) return [];
  const text = t(`story.canceled_by_${cancellation?.by ?? 'merchant'}`);
  return [{ at: canceled_at, text, details: detailsOf({ Reason: cancellation?.reason }) }];
}

const failureKey = (code: FailureCode): TextKey => `failure.${code}`;

function refundEntries({ t, locale }: Words, refund: Refund): Entry[] {
  const { _id: id, status, currency, initiated_by, created_at, updated_at } = refund;
  const amount = localAmount(refund.amount, currency, locale);
  const key = (refund as RefundRow).idem?.k;
  const made = {
    at: created_at,
    text: t(`story.refund_by_${initiated_by}`, { amount }),
    details: detailsOf({ Refund: id, 'Idempotency-Key': key }),
  };
  if (status === 'pending') return [made];
  return [made, { at: updated_at, text: t(`story.refund_${status}`, { amount }) }];
}

function eventEntry({ t }: Words, { deliveries, urls }: Story, event: Event): Entry {
  const { _id: id, type, body, created_at: at } = event;
  const { request } = JSON.parse(body) as { request: EventRequest | null };
  const details = detailsOf({
    Event: id,
    'Request-Id': request?.id,
    'Idempotency-Key': request?.idempotency_key,
  });
  const sent = deliveries.filter(({ event_id }) => event_id === id);
  return {
    at,
    text: t('story.event', { type }),
    details,
    deliveries: sent.map((delivery) => ({ delivery, url: urlOf(urls, delivery) })),
  };
}

/** Returns the endpoint's URL without its query, which may contain a token. */
function urlOf(urls: Story['urls'], { endpoint_id }: Delivery): string {
  const url = urls.get(endpoint_id);
  if (url === undefined) return endpoint_id;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const ACTS: Readonly<Record<string, TextKey>> = {
  'payment.cancel': 'story.act_cancel',
  'refund.create': 'story.act_refund',
  'delivery.resend': 'story.act_resend',
};

function auditEntry({ t }: Words, { emails }: Story, entry: AuditEntry): Entry {
  const { _id: id, at, actor, action, object } = entry;
  const who = emails.get(actor.name) ?? actor.name;
  return {
    at,
    text: t(ACTS[action] ?? 'story.act', { who, action }),
    details: detailsOf({ Audit: id, Object: object.id }),
  };
}
