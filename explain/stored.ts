/** Explains the signature of a stored attempt: what was sent, and why the merchant has another. */
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { eventById } from '../store/events.ts';
import { secretsAround } from './secrets.ts';
import type { Stores } from './secrets.ts';
import { clockNotes, explainSignature, note } from './signature.ts';
import type { Explained, Finding } from './signature.ts';

/** An attempt of a delivery, and what the merchant has of it. */
export interface StoredRequest extends Pick<Explained, 'given' | 'computed' | 'signedBody'> {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

export type ExplainedAttempt = Awaited<ReturnType<typeof explainAttempt>>;

/** Explains an attempt. Shows only the last characters of a secret. */
export async function explainAttempt(
  stores: Stores,
  { delivery, attempt, ...merchants }: StoredRequest,
) {
  const event = await eventById(stores.mongo, delivery.event_id);
  if (!event) throw new Error(`The event ${delivery.event_id} is not stored any more.`);
  const message = { id: event._id, timestamp: timestampOf(attempt), body: event.body };
  const sent = sentHeaders(attempt);
  const signature = sent?.['service-signature'];
  const known = await secretsAround(stores, delivery, {
    at: attempt.at,
    message: { ...message, timestamp: Number(message.timestamp) },
    signature,
  });
  const others = delivery.attempts.filter((each) => each !== attempt);
  const { findings, ...explanation } = explainSignature({
    ...message,
    ...merchants,
    sent,
    secrets: known.signing.map(({ secret }) => secret),
    otherSecrets: known.others,
    otherTimes: others.map((each) => {
      return { value: timestampOf(each), whose: `the time of attempt ${each.number}` };
    }),
  });
  return {
    delivery_id: delivery._id,
    event_id: event._id,
    endpoint_id: delivery.endpoint_id,
    attempt: attempt.number,
    attempts_count: delivery.attempts.length,
    at: attempt.at.toISOString(),
    /** Null for attempts from before it was kept. */
    url: attempt.request?.url ?? null,
    status: attempt.status,
    error: attempt.error,
    /** The last characters of each secret that signed, as far as it is still stored. */
    signed_with: known.signing.map(({ hint }) => hint),
    ...explanation,
    findings: [...findings, ...recordOf(signature, known.signing.length), ...clockOf(attempt)],
  };
}

const SIGNED = /^(?:service-(?:timestamp|signature)|webhook-(?:id|timestamp|signature))$/;

/** Returns undefined for an attempt from before headers were kept. */
function sentHeaders({ request }: DeliveryAttempt): Record<string, string> | undefined {
  const lower = request?.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return lower && Object.fromEntries(lower.filter(([name]) => SIGNED.test(name)));
}

/** Returns the timestamp that an attempt signs, which is its own time. */
const timestampOf = ({ at }: DeliveryAttempt): string => String(Math.floor(at.getTime() / 1_000));

/** Reports that the headers were not kept, or that secrets which signed are not stored any more. */
function recordOf(signature: string | undefined, found: number): Finding[] {
  if (signature === undefined) return [note('headers_not_kept', NOT_KEPT)];
  const count = signature.split(',').length - found;
  if (count === 0) return [];
  const says =
    `${count} of its signatures in each header came from a secret that has been replaced since: ` +
    'shown as sent, and not computed again. Nothing is wrong with it.';
  return [note('secret_replaced', says)];
}

const NOT_KEPT =
  'The headers of this attempt were not kept. They are computed from its time and the secrets ' +
  'that are stored now.';

/** Reports a wrong clock of the receiver, by the `Date` header of its response. */
function clockOf(attempt: DeliveryAttempt): Finding[] {
  const headers = attempt.response?.headers ?? [];
  const [, date = ''] = headers.find(([name]) => name.toLowerCase() === 'date') ?? [];
  const whose = 'By the Date header of its response, the receiver';
  return clockNotes(timestampOf(attempt), Date.parse(date) / 1_000, whose);
}
