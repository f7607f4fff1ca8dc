/** Webhook requests: whether one is genuine, and what it says. */
import { faultOf, readClaims } from './claims.ts';
import { TollgateUsageError, WebhookVerificationError } from './errors.ts';
import type { WebhookHeaders } from './headers.ts';
import type { Event } from './objects.ts';
import { checkSecrets, readBody, signatureHeaders, splitSecrets } from './signatures.ts';

/** Longer than any honest delay, and too short to be of much use to a replay. */
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
   * when none does, also when a request came without a body, and TollgateUsageError when the call
   * is wrong, as with a body that was parsed.
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
    const measure = { secrets: checkSecrets(secret), toleranceSeconds, now: unixNow() };
    if (isAbsent(rawBody)) throw bodiless();
    const body = readBody(rawBody);
    const faults = readClaims(headers, body).map((claim) => faultOf(claim, measure));
    // A claim without a fault is proof; where there is no claim at all there is none either.
    if (!faults.includes(undefined)) throw faults[0] ?? unsigned();
    return readEvent(body);
  },

  /**
   * The secrets in the text of a setting: one, or several with commas between them. Call it when
   * your program starts, as it throws TollgateUsageError, and says what is wrong, for what `verify`
   * would refuse with every request.
   */
  readSecrets(setting: string | undefined): readonly string[] {
    return splitSecrets(setting);
  },

  /**
   * The headers of a webhook request as the service signs it: for tests of your own receiver, so
   * that they need no service.
   */
  signTest({ body, secret, id = 'evt_test', timestamp = unixNow() }: TestDelivery) {
    const message = { id, timestamp: String(timestamp), body: readBody(body) };
    return signatureHeaders(message, checkSecrets(secret));
  },
};

function unsigned(): WebhookVerificationError {
  return new WebhookVerificationError('headers', 'The request has no signature headers.');
}

/**
 * What a framework has for a request without a body: nothing, or with Express 4 an empty object.
 * Anyone can send such a request, so it is no mistake of the calling program.
 */
function isAbsent(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  const isRecord = Object.prototype.toString.call(body) === '[object Object]';
  return isRecord && Object.keys(body).length === 0;
}

function bodiless(): WebhookVerificationError {
  const message =
    'There is no body: the request came without one, or nothing has read it, as ' +
    'express.raw({ type: "application/json" }) does it in Express.';
  return new WebhookVerificationError('body', message);
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
