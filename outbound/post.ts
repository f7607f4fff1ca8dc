/**
 * The guarded POST: the only way to send to a merchant's URL. It connects only to addresses that
 * were checked, follows no redirect, uses no proxy, and limits every time and size.
 */
import type { Dispatcher } from 'undici';
import { inTime } from '../concurrency.ts';
import type { DeliveryError, DeliveryResponse, DeliveryTimings } from '../domain/delivery.ts';
import { OutboundRefused, parseReceiver, resolveReceiver } from './address.ts';
import type { Range } from './address.ts';
import { makeHostLookup } from './lookup.ts';
import type { HostLookup } from './lookup.ts';
import { makePools } from './pools.ts';

/** The part of a response body that is read. It is only shown to people. */
const MAX_BODY_BYTES = 16 * 1024;
/** The time to read the body. Only the status decides, so a slow body is cut off. */
const BODY_MS = 3_000;
/** The most interim responses, such as 103. A receiver that sends more is broken or hostile. */
const MAX_INTERIM = 8;
/** The most lookups at once. The rest of the worker's 64 threads do files and compression. */
const LOOKUPS_AT_ONCE = 48;

export interface PostResult {
  /** The HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** The reason for a failure; null for 2xx. */
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
  /** Sends one POST and judges the response. Never throws. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

interface OutboundOptions {
  /** Allowed ranges besides the public addresses. */
  opened: readonly Range[];
  /** The time of a whole exchange. */
  timeoutMs: number;
  /** Looks up one name; the system by default. */
  lookup?: HostLookup;
}

/** Creates the sender. Its connections are kept until `close`, which fails requests under way. */
export function makeOutbound(options: OutboundOptions): Outbound {
  const pools = makePools(options.timeoutMs);
  const lookUp = makeHostLookup({ lookUp: options.lookup, atOnce: LOOKUPS_AT_ONCE });

  async function send(
    { url: text, headers, body }: PostRequest,
    { timings, signal, elapsedMs }: Watch,
  ): Promise<Dispatcher.ResponseData> {
    const url = parseReceiver(text);
    const { addresses, wasLookedUp } = await resolveReceiver(url, options.opened, lookUp);
    if (wasLookedUp) timings.dns = elapsedMs();
    return pools.with({ url, addresses, timings }, async (pool) =>
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
      const { signal, timings, elapsedMs } = watch;
      try {
        const received = await untilAborted(send(request, watch), signal);
        timings.first_byte = elapsedMs();
        const response = await readResponse(received, signal);
        const retryAfter = [received.headers['retry-after']].flat()[0];
        const { statusCode: status } = received;
        const error = judgeStatus(status);
        return { status, error, retryAfter, response, ...watch.read() };
      } catch (thrown) {
        const error = classify(thrown, signal);
        const nothing = { status: null, retryAfter: undefined, response: null };
        return { ...nothing, error, ...watch.read() };
      }
    },
    close: async () => pools.close(),
  };
}

/** Thrown if a receiver sends too many interim responses. */
class ResponseInvalid extends Error {
  override name = 'ResponseInvalid';
}

function countInterim(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_INTERIM)
      throw new ResponseInvalid(`More than ${MAX_INTERIM} interim responses.`);
  };
}

type Watch = ReturnType<typeof startWatch>;

/** Starts the clock of one exchange. */
function startWatch(timeoutMs: number) {
  const startedMs = performance.now();
  const timings: DeliveryTimings = { dns: null, connect: null, tls: null, first_byte: null };
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  return {
    signal: AbortSignal.timeout(timeoutMs),
    timings,
    elapsedMs,
    // A copy, because a name lookup can go on after the time limit.
    read: () => ({ timings: { ...timings }, durationMs: elapsedMs() }),
  };
}

/** Returns the headers and the beginning of the body. A truncated body is not a failure. */
async function readResponse(
  { headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<DeliveryResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  })();
  // Node may collect a signal with a time limit inside `AbortSignal.any`, which then never aborts.
  await inTime(untilAborted(reading, signal), BODY_MS, slowBody).catch(() => undefined);
  body.on('error', () => undefined).destroy();
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  );
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString();
  return { headers: pairs, body: text, truncated: bytes > MAX_BODY_BYTES };
}

const slowBody = (): Error => new Error('The body is slow.');

/** Stops waiting when the signal aborts, because a name lookup cannot be aborted. */
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
  if (error instanceof ResponseInvalid || name === 'HTTPParserError') return 'response_invalid';
  // An unexpected 100 or 101. The end of a connection has the same code.
  if (code === 'UND_ERR_SOCKET' && message.startsWith('bad ')) return 'response_invalid';
  if (/CERT|TLS|SSL|^DEPTH_ZERO|^UNABLE_TO_|^EPROTO$/.test(code)) return 'tls_failed';
  return ERRORS[code] ?? 'connect_failed';
}
