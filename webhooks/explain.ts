/** The signature of an attempt that is on record: what was sent, and why others came to another. */
import { createHmac } from 'node:crypto';
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import type { Event } from '../domain/event.ts';
import { explainSignature } from '../domain/signature/explain.ts';
import type { Explanation, Finding } from '../domain/signature/explain.ts';
import { TOLERANCE_SECONDS } from '../domain/signature/forms.ts';
import type { Hmac } from '../domain/signature/forms.ts';
import { findAnyEvent } from '../store/events.ts';
import { requireDelivery } from '../operations/deliveries.ts';
import { Refusal } from '../operations/refusal.ts';
import { secretsAround } from '../operations/secrets.ts';
import type { Services } from '../operations/services.ts';

export interface ExplainWish {
  /** A delivery. */
  id: string;
  /** From 1; the last one otherwise. */
  attempt?: string | undefined;
  /** What the merchant's code came to. */
  computed?: readonly string[] | undefined;
  /** Headers as the merchant got or computed them, by their names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ExplainedDelivery extends Explanation {
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  attempt: number;
  attempts_count: number;
  at: string;
  /** Null for attempts from before it was kept. */
  url: string | null;
  status: number | null;
  error: string | null;
  /** The last characters of each secret that signed, as far as it is still at hand. */
  signed_with: string[];
}

export const nodeHmac: Hmac = (algorithm, key, message) =>
  createHmac(algorithm, key).update(message).digest();

const RECORDED = [
  'service-timestamp',
  'service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

/**
 * Explains an attempt of a delivery with what the merchant made of it. Nothing of a secret leaves
 * but its last characters. Throws `Refusal` for what was never sent, or is not kept any more.
 */
export async function explainDelivery(
  services: Pick<Services, 'mongo' | 'sealer'>,
  { id, attempt: number, computed, headers: given }: ExplainWish,
): Promise<ExplainedDelivery> {
  const delivery = await requireDelivery(services, id);
  const attempt = attemptOf(delivery, number);
  const event = await requireEvent(services, delivery);
  const sent = sentHeaders(attempt);
  const timestamp = timestampOf(attempt);
  const message = { id: event._id, timestamp, body: event.body };
  const known = await secretsAround(services, delivery, {
    at: attempt.at,
    message: { ...message, timestamp: Number(timestamp) },
    signature: sent?.['service-signature'],
  });
  const otherMoments = delivery.attempts
    .filter((each) => each !== attempt)
    .map((each) => ({ timestamp: timestampOf(each), whose: `attempt ${each.number}` }));
  const request = {
    ...message,
    given,
    computed,
    sent,
    otherMoments,
    secrets: known.signing.map(({ secret }) => secret),
    otherSecrets: known.others,
  };
  const { forms, headers, findings } = explainSignature(request, nodeHmac);
  return {
    delivery_id: delivery._id,
    event_id: event._id,
    endpoint_id: delivery.endpoint_id,
    attempt: attempt.number,
    attempts_count: delivery.attempts.length,
    at: attempt.at.toISOString(),
    url: attempt.request?.url ?? null,
    status: attempt.status,
    error: attempt.error,
    signed_with: known.signing.map(({ hint }) => hint),
    forms,
    headers,
    findings: [...findings, ...aboutRecord(attempt), ...known.findings, ...aboutClock(attempt)],
  };
}

function attemptOf({ attempts, state }: Delivery, number: string | undefined): DeliveryAttempt {
  const last = attempts.at(-1);
  if (!last) {
    const message = `Nothing has been sent yet: the delivery is ${state}, without an attempt.`;
    throw new Refusal('parameter_invalid', { message, param: 'id' });
  }
  if (number === undefined) return last;
  const wanted = attempts.find((each) => String(each.number) === number);
  if (wanted) return wanted;
  const message = `There is no attempt ${number}: the last one was ${last.number}.`;
  throw new Refusal('parameter_invalid', { message, param: 'attempt' });
}

async function requireEvent(
  { mongo }: Pick<Services, 'mongo'>,
  { event_id }: Delivery,
): Promise<Event> {
  const event = await findAnyEvent(mongo, event_id);
  if (event) return event;
  const message = 'The event of this delivery is not kept any more, and it was what was signed.';
  throw new Refusal('resource_missing', { message, param: 'id' });
}

/** Undefined for an attempt from before they were kept. */
function sentHeaders({ request }: DeliveryAttempt): Record<string, string> | undefined {
  if (!request) return undefined;
  const lower = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lower.filter(([name]) => RECORDED.includes(name)));
}

/** Every attempt is signed at its own time, which is also on record by itself. */
function timestampOf(attempt: DeliveryAttempt): string {
  const recorded = sentHeaders(attempt)?.['service-timestamp'];
  return recorded ?? String(Math.floor(attempt.at.getTime() / 1_000));
}

function note(code: string, says: string): Finding {
  return { code, kind: 'note', about: null, says };
}

function aboutRecord({ request }: DeliveryAttempt): Finding[] {
  if (request) return [];
  const says =
    'The headers of this attempt were not kept: they are computed again here, from its time and ' +
    'the secrets that there are now.';
  return [note('headers_not_kept', says)];
}

/** A receiver that answers says what time it has. */
function aboutClock(attempt: DeliveryAttempt): Finding[] {
  const [, date = ''] =
    attempt.response?.headers.find(([name]) => name.toLowerCase() === 'date') ?? [];
  const ahead = Math.round(Date.parse(date) / 1_000) - Number(timestampOf(attempt));
  if (Number.isNaN(ahead) || Math.abs(ahead) <= TOLERANCE_SECONDS) return [];
  const says =
    `By the Date header of its answer the receiver's clock was ${Math.abs(ahead)} s ` +
    `${ahead > 0 ? 'ahead' : 'behind'}: it refuses what is more than ${TOLERANCE_SECONDS} s away. ` +
    'Set its clock.';
  return [note('clock', says)];
}
