/** Reads bodies from streams: of responses, and of the two kinds of requests to a receiver. */
import { TollgateError, TollgateUsageError, WebhookVerificationError } from './errors.ts';
import type { WebhookHeaders } from './headers.ts';

/** The largest body of a webhook request. The largest event has a tenth of this. */
const REQUEST_MAX_BYTES = 1024 * 1024;

/** The request of Node's HTTP server, which Express, Koa, Fastify and NestJS build on. */
export interface NodeRequest {
  readonly headers: WebhookHeaders;
  /** True once something has read from the body. */
  readonly readableDidRead: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'error' | 'close', listener: (error?: Error) => void): unknown;
}

/** A `Request` of the Fetch standard, or the request of Node's HTTP server. */
export type WebhookRequest = Request | NodeRequest;

/**
 * Returns the request's body. Throws WebhookVerificationError if it is too large or does not
 * arrive within `timeoutMs`, and TollgateUsageError if something has read it already.
 */
export async function readRequest(request: WebhookRequest, timeoutMs: number): Promise<Uint8Array> {
  requireUnread(request);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `The body did not arrive within ${timeoutMs} ms.`;
    const error = new WebhookVerificationError('incomplete', message);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([readUnread(request), timeout]);
  } catch (cause) {
    if (cause instanceof TollgateError) throw cause;
    const message = 'The sender closed the connection before the end of the body.';
    throw new WebhookVerificationError('incomplete', message, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function requireUnread(request: WebhookRequest): void {
  if (!isRequest(request)) {
    throw new TollgateUsageError(
      'Pass a Request, or the request of Node: `request` in Express, `ctx.req` in Koa, ' +
        '`request.raw` in Fastify.',
    );
  }
  const isRead = 'on' in request ? request.readableDidRead : request.bodyUsed;
  if (isRead) {
    throw new TollgateUsageError(
      'Something has read the body already. Call webhooks.receive before any body parser, or ' +
        'pass the raw body that your framework keeps to webhooks.verify.',
    );
  }
}

/** Plain JavaScript may pass anything, such as Koa's `ctx` or Fastify's own request. */
function isRequest(request: unknown): boolean {
  if (typeof request !== 'object' || request === null) return false;
  return 'bodyUsed' in request || 'readableDidRead' in request;
}

async function readUnread(request: WebhookRequest): Promise<Uint8Array> {
  const body = 'on' in request ? readNode(request) : readStream(request.body, REQUEST_MAX_BYTES);
  const bytes = await body;
  if (bytes) return bytes;
  const message = `The body is larger than ${REQUEST_MAX_BYTES} bytes.`;
  throw new WebhookVerificationError('too_large', message);
}

/** Returns undefined if the body is too large. The rest is then discarded as it arrives. */
async function readNode(request: NodeRequest): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk) => {
      length += chunk.length;
      if (length > REQUEST_MAX_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    // Not every version of Node emits an error if the sender closes the connection.
    request.on('close', reject);
  });
}

/**
 * Returns all bytes of the stream, or undefined as soon as there are more than `maxBytes`. It does
 * not cancel the stream: that would close the connection of a request before the response.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
