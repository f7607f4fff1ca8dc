/**
 * Explains the signature of a stored attempt: what was sent, and why the merchant has another one.
 */
import { signatureHeaders } from '../outbound/sign.ts';
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { liveSecrets } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { endpointById } from '../store/endpoints.ts';
import { eventById } from '../store/events.ts';
import type { Mongo } from '../store/mongo.ts';
import { readPage } from '../store/page.ts';
import type { Sealer } from '../store/seal.ts';
import { clockNotes, explainSignature, note } from './signature.ts';
import type { Explained, Finding } from './signature.ts';

/** An attempt of a delivery, and what the merchant has of it. */
interface StoredRequest extends Pick<Explained, 'given' | 'computed' | 'signedBody'> {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

export type ExplainedAttempt = Awaited<ReturnType<typeof explainAttempt>>;

interface Stores {
  readonly mongo: Mongo;
  readonly sealer: Sealer;
}

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
  const message = { id: event_id, timestamp: timestampOf(attempt), body: event.body };
  const sent = sentHeaders(attempt);
  const signatures = sent?.['service-signature']?.split(',');
  const { endpoint, secrets } = await secretsAround(stores, delivery);
  const hasSigned = ({ value, sealed }: OpenSecret): boolean => {
    // Without the signatures that were sent, the endpoint's record decides.
    if (!signatures) return liveSecrets(endpoint, attempt.at).includes(sealed);
    const timestamp = Number(message.timestamp);
    const signed = signatureHeaders({ ...message, timestamp }, [value]);
    return signatures.includes(signed['Service-Signature'] ?? '');
  };
  const signing = secrets.filter(hasSigned);
  const { findings, ...explanation } = explainSignature({
    ...message,
    ...merchants,
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
      ...(signatures ? [] : [note('headers_not_kept', NOT_KEPT)]),
      ...receiverClock(attempt),
    ],
  };
}

interface OpenSecret {
  readonly value: string;
  readonly sealed: string;
  readonly hint: string;
  readonly whose: string;
}

/** The number of the merchant's newest endpoints, deleted ones too, whose secrets are tried. */
const NEIGHBOURS = 100;

/** Returns the secrets of the delivery's endpoint and of the merchant's others, newest first. */
async function secretsAround(
  { mongo, sealer }: Stores,
  { m: tenant, endpoint_id: id }: Delivery,
): Promise<{ endpoint: Endpoint; secrets: OpenSecret[] }> {
  const endpoint = await endpointById(mongo, id);
  if (!endpoint) throw new Error(`The endpoint ${id} is not stored any more.`);
  sealer.unseal(endpoint.secret, id);
  const { rows } = await readPage(mongo.endpoints, { filter: { m: tenant }, limit: NEIGHBOURS });
  const all = [endpoint, ...rows.filter(({ _id }) => _id !== id)];
  return { endpoint, secrets: all.flatMap((each) => openSecrets(sealer, each)) };
}

/** Returns an endpoint's secrets, without those that no configured key opens. */
function openSecrets(sealer: Sealer, endpoint: Endpoint): OpenSecret[] {
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

const SIGNED = /^(?:service-(?:timestamp|signature)|webhook-(?:id|timestamp|signature))$/;

/** Returns undefined for an attempt from before headers were kept. */
function sentHeaders({ request }: DeliveryAttempt): Record<string, string> | undefined {
  const lower = request?.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return lower && Object.fromEntries(lower.filter(([name]) => SIGNED.test(name)));
}

/** Returns the timestamp that an attempt signs, which is its own time. */
const timestampOf = ({ at }: DeliveryAttempt): string => String(Math.floor(at.getTime() / 1_000));

const NOT_KEPT =
  'The headers of this attempt were not kept. They are computed from its time and the secrets ' +
  'that are stored now.';

/** Reports a wrong clock of the receiver, by the `Date` header of its response. */
function receiverClock(attempt: DeliveryAttempt): Finding[] {
  const headers = attempt.response?.headers ?? [];
  const [, date = ''] = headers.find(([name]) => name.toLowerCase() === 'date') ?? [];
  const whose = 'By the Date header of its response, the receiver';
  return clockNotes(timestampOf(attempt), Date.parse(date) / 1_000, whose);
}
