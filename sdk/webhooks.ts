/** Webhook requests: whether one is genuine, and what it says. */
import { faultOf, readClaims } from './claims.ts';
import { TollgateUsageError, WebhookVerificationError } from './errors.ts';
import type { WebhookHeaders } from './headers.ts';
import type { Event } from './objects.ts';
import { readBody, readSecrets, signatureHeaders } from './signatures.ts';

/** API, Webhook requests: longer than any honest delay, too short to replay much. */
const TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** How far the signature's time may be from now, before or after, in seconds; 300. */
  toleranceSeconds?: number | undefined;
}

export interface TestDelivery {
  /** The text or bytes that will be sent. */
  body: string | Uint8Array;
  /** `whsec_...`, or several as while one is being replaced. */
  secret: string | readonly string[];
  /** Of the event; `evt_test`. */
  id?: string | undefined;
  /** Unix seconds; now. */
  timestamp?: number | undefined;
}

export const webhooks = {
  /**
   * The event that a webhook request brings, once it is seen to be genuine. Takes the raw body, the
   * request's headers, and the endpoint's secret (several while one is being replaced; one that
   * fits is enough).
   *
   * A request carries two signatures, `Service-Signature` and that of Standard Webhooks. Neither
   * can be made without the secret, so one that holds is proof. Throws WebhookVerificationError
   * when none does, and TollgateUsageError when the call is wrong, as with a body that was parsed.
   */
  verify(
    rawBody: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): Event {
    const toleranceSeconds = options.toleranceSeconds ?? TOLERANCE_SECONDS;
    // An endless one would take every old request for a new one.
    if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
      throw new TollgateUsageError('toleranceSeconds must be a positive number.');
    }
    const body = readBody(rawBody);
    const measure = { secrets: readSecrets(secret), toleranceSeconds, now: unixNow() };
    const faults = readClaims(headers, body).map((claim) => faultOf(claim, measure));
    // A claim without a fault is proof; where there is no claim at all there is none either.
    if (!faults.includes(undefined)) throw faults[0] ?? unsigned();
    return readEvent(body);
  },

  /**
   * The headers of a webhook request as the service signs it: for tests of your own receiver, so
   * that they need no service.
   */
  signTest({ body, secret, id = 'evt_test', timestamp = unixNow() }: TestDelivery) {
    const message = { id, timestamp: String(timestamp), body: readBody(body) };
    return signatureHeaders(message, readSecrets(secret));
  },
};

function unsigned(): WebhookVerificationError {
  return new WebhookVerificationError('headers', 'The request has no signature headers.');
}

function unixNow(): number {
  return Math.floor(Date.now() / 1_000);
}

function readEvent(body: string | Uint8Array): Event {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const event = JSON.parse(text) as Partial<Event> | null;
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event as Event;
  } catch {
    // The same as any other text that is not an event.
  }
  throw new WebhookVerificationError('body', 'The request is signed, but its body is no event.');
}
