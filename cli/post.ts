/** A request to a developer's own receiver, with exactly the headers that it is given. */
import http from 'node:http';
import https from 'node:https';
import type { Reply, Request } from '../check/exchange.ts';

/** The time limit of a whole request, as for a delivery (WEBHOOK_TIMEOUT_MS). */
export const TIMEOUT_MS = 15_000;
/** The part of a response body that is read. People need no more. */
const MAX_BODY_BYTES = 16 * 1024;

interface ReceiverRequest extends Request {
  readonly url: URL;
}

/** Sends the request once, on a new connection. Follows no redirect, and never throws. */
export async function send(request: ReceiverRequest): Promise<Reply> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const took = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await responseTo(request, signal);
    const body = await startOf(response);
    return { status: response.statusCode ?? null, error: null, body, durationMs: took() };
  } catch (failure) {
    const late = `no response within ${TIMEOUT_MS / 1_000} s`;
    const error = signal.aborted ? late : wordsOf(failure);
    return { status: null, error, body: '', durationMs: took() };
  }
}

async function responseTo(
  { method = 'POST', url, headers, body }: ReceiverRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    // A kept connection would break when the developer restarts the receiver.
    const options = { method, headers: { ...headers, ...length }, agent: false, signal } as const;
    request(url, options, resolve).on('error', reject).end(body);
  });
}

/** Reads the body up to the limit. The status counts even if the body is cut off. */
async function startOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  } catch {
    // The part that has arrived is shown.
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString();
}

const SELF_SIGNED = 'its certificate is self-signed (set NODE_EXTRA_CA_CERTS)';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: is the receiver running?',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'the connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (set NODE_EXTRA_CA_CERTS)',
};

function wordsOf(error: unknown): string {
  // If a name has several addresses, there is an error for each.
  const { errors = [] } = error as { errors?: unknown[] };
  const { code = '', message } = (errors[0] ?? error) as { code?: string; message: string };
  return WORDS[code] ?? message;
}
