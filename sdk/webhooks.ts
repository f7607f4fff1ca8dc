/** Webhook requests: reads and verifies them, and signs them for tests. */
import { readRequest } from './body.ts';
import type { WebhookRequest } from './body.ts';
import { TollgateUsageError, WebhookVerificationError } from './errors.ts';
import type { WebhookHeaders } from './headers.ts';
import type { Event } from './objects.ts';
import { checkTimeout } from './options.ts';
import { checkSecrets, readBody, signatureHeaders, splitSecrets } from './signatures.ts';
import { requireGenuine } from './verification.ts';

/** Longer than any real delay, and short enough to limit replayed requests. */
const TOLERANCE_SECONDS = 300;
/** Tollgate waits 15 seconds for the response, and sends its bodies at once. */
const BODY_TIMEOUT_MS = 10_000;

export interface VerifyOptions {
  /** The largest difference between the signature's time and now, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
}

export interface ReceiveOptions extends VerifyOptions {
  /** The longest time that the body may take to arrive, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
}

export interface TestDelivery {
  /** The text or bytes to send. */
  body: string | Uint8Array;
  /** `whsec_...`, or several while a secret is being replaced. */
  secret: string | readonly string[];
  /** The event's id. Default: `evt_test`. */
  id?: string | undefined;
  /** Unix seconds. Default: now. */
  timestamp?: number | undefined;
}

export const webhooks = {
  /**
   * Reads the body of a webhook request, verifies its signature, and returns its event. Takes a
   * `Request` (Next.js, Hono, Bun, Deno, Cloudflare, SvelteKit, Remix) or the request of Node's
   * HTTP server (`request` in Express, `ctx.req` in Koa, `request.raw` in Fastify). Nothing may
   * have read the body before. The secret is a setting for `readSecrets`, or an array of secrets.
   *
   * Throws WebhookVerificationError if the request is not genuine, larger than 1 MiB or incomplete:
   * respond with the error's `status`. Throws TollgateUsageError if the secret is not usable, or
   * something has read the body: respond with 500, and Tollgate sends the event again.
   */
  async receive(
    request: WebhookRequest,
    secret: string | readonly string[] | undefined,
    { timeoutMs = BODY_TIMEOUT_MS, ...options }: ReceiveOptions = {},
  ): Promise<Event> {
    const secrets = typeof secret === 'object' ? checkSecrets(secret) : splitSecrets(secret);
    const body = await readRequest(request, checkTimeout(timeoutMs));
    return webhooks.verify(body, request.headers, secrets, options);
  },

  /**
   * Verifies a webhook request whose body has been read, and returns its event. Takes the raw body,
   * the headers and the endpoint's secret. With several secrets, one that fits is enough.
   *
   * A request has two signatures, `Service-Signature` and that of Standard Webhooks. One genuine
   * signature is proof, because neither can be made without the secret. Throws
   * WebhookVerificationError if none is genuine or there is no body, and TollgateUsageError if the
   * call is wrong, for example with a parsed body.
   */
  verify(
    rawBody: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
  ): Event {
    // With an infinite tolerance, every old request would be accepted again.
    if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
      throw new TollgateUsageError('toleranceSeconds must be a positive number.');
    }
    const secrets = checkSecrets(secret);
    requirePresent(rawBody);
    const body = readBody(rawBody);
    requireGenuine(headers, body, { secrets, toleranceSeconds });
    return readEvent(body);
  },

  /**
   * Returns the secrets of a setting: one, or several separated by commas. Call it when your
   * program starts: it throws TollgateUsageError for a setting that would refuse every request.
   */
  readSecrets(setting: string | undefined): readonly string[] {
    return splitSecrets(setting);
  },

  /** Returns the headers of a signed webhook request, for tests of your own receiver. */
  signTest({ body, secret, id = 'evt_test', timestamp }: TestDelivery): Record<string, string> {
    const seconds = timestamp ?? Math.floor(Date.now() / 1_000);
    const message = { id, timestamp: String(seconds), body: readBody(body) };
    return signatureHeaders(message, checkSecrets(secret));
  },
};

/**
 * Throws WebhookVerificationError if there is no body: frameworks then pass nothing, or in Express
 * 4 an empty object. Anyone can send such a request, so it is not a usage error.
 */
function requirePresent(body: unknown): void {
  const isRecord = Object.prototype.toString.call(body) === '[object Object]';
  const isEmptyRecord = isRecord && Object.keys(body as object).length === 0;
  if (body !== undefined && body !== null && !isEmptyRecord) return;
  throw new WebhookVerificationError(
    'body',
    'There is no body. The request had none, or nothing has read it, as ' +
      'express.raw({ type: "application/json" }) does in Express.',
  );
}

function readEvent(body: string | Uint8Array): Event {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const event = JSON.parse(text) as Partial<Event> | null;
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event as Event;
  } catch {
    // Not JSON, and so not an event.
  }
  throw new WebhookVerificationError('body', 'The body is signed, but it is not an event.');
}
