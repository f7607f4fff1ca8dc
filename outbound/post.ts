/**
 * The guarded POST: the only way out to an address that a merchant gave. It connects to the very
 * addresses that were checked, follows no redirect, knows no proxy, and has a limit on everything.
 */
import type { Dispatcher } from 'undici';
import type { DeliveryError, DeliveryResponse, DeliveryTimings } from '../domain/delivery.ts';
import { OutboundRefused, parseReceiver, resolveReceiver } from './address.ts';
import type { Range } from './address.ts';
import { makeHostLookup } from './lookup.ts';
import type { HostLookup } from './lookup.ts';
import { makePools } from './pools.ts';
import type { ConnectTimes } from './pools.ts';

/** As much of an answer as is of use to people; the rest is not read. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** The status is all that counts: a body that trickles in is not waited for longer than this. */
const BODY_MS = 3_000;
/** Answers before the answer (103 and its like); whoever sends more means no good. */
const MAX_INTERIM = 8;
/**
 * Names that are looked up at once, of the 64 threads that the worker is started with: the others
 * are for files, compression and whatever else takes one.
 */
const LOOKUPS_AT_ONCE = 48;

export interface PostResult {
  /** The HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why there was no acknowledgement; null for 2xx. */
  readonly error: DeliveryError | null;
  readonly retryAfter: string | undefined;
  readonly response: DeliveryResponse | null;
  readonly timings: DeliveryTimings;
  readonly durationMs: number;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Outbound {
  /** Sends one POST and judges the answer. Never throws. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

interface OutboundOptions {
  /** Ranges besides the public ones. */
  opened: readonly Range[];
  /** For the whole exchange. */
  timeoutMs: number;
  /** How names are resolved; as the system does when it is left out. */
  lookup?: HostLookup;
}

/** The way out. Its connections are kept until `close`; what is under way then, fails. */
export function makeOutbound(options: OutboundOptions): Outbound {
  const pools = makePools(options.timeoutMs);
  const ask = makeHostLookup({ ask: options.lookup, atOnce: LOOKUPS_AT_ONCE });

  async function send(
    request: PostRequest,
    { times, signal, took }: Watch,
  ): Promise<Dispatcher.ResponseData> {
    const url = parseReceiver(request.url);
    const { addresses, wasAsked } = await resolveReceiver(url, options.opened, ask);
    if (wasAsked) times.dns = took();
    const { headers, body } = request;
    return pools.with({ url, addresses, times }, async (pool) =>
      pool.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: { ...headers },
        body,
        signal,
        onInfo: countInterim(),
      }),
    );
  }

  return {
    async post(request) {
      const watch = startWatch(options.timeoutMs);
      const { signal, times, took } = watch;
      try {
        const answer = await untilAborted(send(request, watch), signal);
        times.firstByte = took();
        const response = await readAnswer(answer, signal);
        const retryAfter = [answer.headers['retry-after']].flat()[0];
        const { statusCode: status } = answer;
        const error = judgeStatus(status);
        return { status, error, retryAfter, response, ...timesOf(watch) };
      } catch (error) {
        const kind = classify(error, signal);
        const nothing = { retryAfter: undefined, response: null };
        return { status: null, error: kind, ...nothing, ...timesOf(watch) };
      }
    },
    close: async () => pools.close(),
  };
}

/** The receiver speaks something that is not, or not quite, HTTP. */
class AnswerInvalid extends Error {
  override name = 'AnswerInvalid';
}

function countInterim(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_INTERIM) throw new AnswerInvalid(`More than ${MAX_INTERIM} interim answers.`);
  };
}

/** What an exchange takes: noted on the way, and over when the signal says so. */
interface Watch {
  readonly signal: AbortSignal;
  readonly times: ConnectTimes & { dns: number | null; firstByte: number | null };
  /** Milliseconds since it began. */
  readonly took: () => number;
}

function startWatch(timeoutMs: number): Watch {
  const begun = performance.now();
  return {
    signal: AbortSignal.timeout(timeoutMs),
    times: { dns: null, connectMs: null, tlsMs: null, firstByte: null },
    took: () => Math.round(performance.now() - begun),
  };
}

function timesOf({ times, took }: Watch): Pick<PostResult, 'timings' | 'durationMs'> {
  const { dns, connectMs: connect, tlsMs: tls, firstByte: first_byte } = times;
  return { timings: { dns, connect, tls, first_byte }, durationMs: took() };
}

/**
 * The headers and the beginning of the body. What comes after that is not waited for, and a body
 * that breaks off takes nothing from the status, which was all that counts.
 */
async function readAnswer(
  { headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<DeliveryResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  })();
  const soon = AbortSignal.any([signal, AbortSignal.timeout(BODY_MS)]);
  await untilAborted(reading, soon).catch(() => undefined);
  body.on('error', () => undefined).destroy();
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  );
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
  return { headers: pairs, body: text, truncated: bytes > MAX_ANSWER_BYTES };
}

/** Name resolution cannot be aborted; the exchange ends on time all the same. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}

function judgeStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

const ERRORS: Readonly<Record<string, DeliveryError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response_invalid',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'response_invalid',
};

function classify(error: unknown, signal: AbortSignal): DeliveryError {
  if (error instanceof OutboundRefused) return error.code;
  if (signal.aborted) return 'timeout';
  const { code = '', name, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (error instanceof AnswerInvalid || name === 'HTTPParserError') return 'response_invalid';
  // A 100 or 101 that nobody asked for; an end of the connection has the same code.
  if (code === 'UND_ERR_SOCKET' && message.startsWith('bad ')) return 'response_invalid';
  if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL')) return 'tls_failed';
  if (code.startsWith('DEPTH_ZERO') || code.startsWith('UNABLE_TO_')) return 'tls_failed';
  if (code === 'EPROTO') return 'tls_failed';
  return ERRORS[code] ?? 'connect_failed';
}
