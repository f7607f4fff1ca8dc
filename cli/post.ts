/** A request to a developer's own receiver, with exactly the headers that it is given. */
import http from 'node:http';
import https from 'node:https';

/** The time limit of a whole request; that of a delivery is the same (WEBHOOK_TIMEOUT_MS). */
export const TIMEOUT_MS = 15_000;
/** As much of an answer as is of use to people. */
const MAX_ANSWER_BYTES = 16 * 1024;

export interface Shot {
  readonly method?: 'POST' | 'GET';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, in words. */
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly body: string;
  readonly durationMs: number;
}

export const isAccepted = ({ status }: Reply): boolean =>
  status !== null && status >= 200 && status < 300;

/** Sends it once on a connection of its own, follows no redirect, and never throws. */
export async function shoot(shot: Shot): Promise<Reply> {
  const begun = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const took = (): number => Math.round(performance.now() - begun);
  try {
    const answer = await send(shot, signal);
    const body = await beginningOf(answer);
    return { status: answer.statusCode ?? null, error: null, body, durationMs: took() };
  } catch (error) {
    const said = signal.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : wordsOf(error);
    return { status: null, error: said, body: '', durationMs: took() };
  }
}

async function send(
  { method = 'POST', url, headers, body }: Shot,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes === undefined ? {} : { 'Content-Length': bytes.length };
  return new Promise((resolve, reject) => {
    // A connection that is kept would break under whoever restarts his receiver.
    const options = { method, headers: { ...headers, ...length }, agent: false, signal } as const;
    const sent = request(url, options, resolve);
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** The status is what counts: a body that breaks off or never ends takes nothing from it. */
async function beginningOf(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // What has come until then is shown.
  }
  answer.destroy();
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: does the receiver run?',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'the connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed (set NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed (set NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (set NODE_EXTRA_CA_CERTS)',
};

function wordsOf(error: unknown): string {
  // Where a name has several addresses, each of them failed.
  const { errors = [] } = error as { errors?: unknown[] };
  const { code = '', message } = (errors[0] ?? error) as { code?: string; message: string };
  return WORDS[code] ?? message;
}
