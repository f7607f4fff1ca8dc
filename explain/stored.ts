/** Explains the signature of a stored attempt: what was sent, and why the merchant's differs. */
import { signatureHeaders } from '../outbound/sign.ts';
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { liveSecrets } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { endpointById } from '../store/endpoints.ts';
import { eventById } from '../store/events.ts';
import type { Mongo } from '../store/mongo.ts';
import { readPage } from '../store/page.ts';
import type { Sealer } from '../store/seal.ts';
import type { Cause } from './causes.ts';
import { clockNotes, explainSignature, findingsOf, headersOf } from './signature.ts';
import type { Explained } from './signature.ts';

/** An attempt of a delivery, and what the merchant has of it. */
interface StoredRequest extends Pick<Explained, 'given' | 'computed' | 'signedBody'> {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

export type ExplainedAttempt = Awaited<ReturnType<typeof explainAttempt>>;

type Stores = Readonly<{ mongo: Mongo; sealer: Sealer }>;

/**
 * Explains an attempt. Shows only the last characters of a secret. Throws if the event or the
 * endpoint is not stored any more, or if no configured key opens the endpoint's newest secret.
 */
export async function explainAttempt(
  stores: Stores,
  { delivery, attempt, ...merchants }: StoredRequest,
) {
  const { event_id, endpoint_id } = delivery;
  const event = await eventById(stores.mongo, event_id);
  if (!event) throw new Error(`The event ${event_id} is not stored any more.`);
  const timestamp = Math.floor(attempt.at.getTime() / 1_000);
  const message = { id: event_id, timestamp, body: event.body };
  const sent = headersOf(attempt.request?.headers);
  const signatures = sent['service-signature']?.split(',');
  const { endpoint, secrets } = await secretsAround(stores, delivery);
  const hasSigned = ({ value, sealed }: OpenSecret): boolean => {
    // Without the signatures that were sent, the endpoint's record decides.
    if (!signatures) return liveSecrets(endpoint, attempt.at).includes(sealed);
    const signed = signatureHeaders(message, [value]);
    return signatures.includes(signed['Service-Signature'] ?? '');
  };
  const signing = secrets.filter(hasSigned);
  const { date = '' } = headersOf(attempt.response?.headers);
  const { findings, ...explanation } = explainSignature({
    ...message,
    ...merchants,
    timestamp: String(timestamp),
    sent,
    secrets: signing.map(({ value }) => value),
    otherSecrets: secrets.filter((each) => !signing.includes(each)),
  });
  return {
    delivery_id: delivery._id,
    event_id,
    endpoint_id,
    attempt: attempt.number,
    attempts_count: delivery.attempts.length,
    at: attempt.at.toISOString(),
    /** Null for attempts from before it was kept. */
    url: attempt.request?.url ?? null,
    status: attempt.status,
    error: attempt.error,
    /** The last characters of each secret that signed and is still stored. */
    signed_with: signing.map(({ hint }) => hint),
    ...explanation,
    findings: [
      ...findings,
      ...(signatures ? [] : findingsOf([NOT_KEPT])),
      ...clockNotes(timestamp, Date.parse(date) / 1_000, RECEIVER),
    ],
  };
}

/** The number of the merchant's newest endpoints, deleted ones too, whose secrets are tried. */
const NEIGHBOURS = 100;

/** Returns the secrets of the delivery's endpoint and of the merchant's others, newest first. */
async function secretsAround({ mongo, sealer }: Stores, { m: tenant, endpoint_id: id }: Delivery) {
  const endpoint = await endpointById(mongo, id);
  if (!endpoint) throw new Error(`The endpoint ${id} is not stored any more.`);
  sealer.unseal(endpoint.secret, id);
  const { rows } = await readPage(mongo.endpoints, { filter: { m: tenant }, limit: NEIGHBOURS });
  const all = [endpoint, ...rows.filter(({ _id }) => _id !== id)];
  return { endpoint, secrets: all.flatMap((each) => openSecrets(sealer, each)) };
}

/** Returns an endpoint's secrets, without those that no configured key opens. */
function openSecrets(sealer: Sealer, endpoint: Endpoint) {
  const { _id, status, secret, secret_hint: hint, previous_secrets: previous = [] } = endpoint;
  return [{ secret, hint }, ...previous].flatMap((each) => {
    const which = each.secret === secret ? 'the newest' : 'a replaced';
    const of = status === 'deleted' ? 'deleted endpoint' : 'endpoint';
    const whose = `${which} secret of your ${of} ${_id} (ending in ${each.hint})`;
    try {
      const value = sealer.unseal(each.secret, _id);
      return [{ value, sealed: each.secret, hint: each.hint, whose }];
    } catch {
      return [];
    }
  });
}

type OpenSecret = ReturnType<typeof openSecrets>[number];

const RECEIVER = 'By the Date header of its response, the receiver';
const NOT_KEPT: Cause = {
  code: 'headers_not_kept',
  kind: 'note',
  says: 'The headers of this attempt were not kept. Here, the stored secrets sign it again.',
};
