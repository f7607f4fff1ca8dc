/** What a request may cost at most, and the answers to what Node refuses before Koa sees it. */
import { STATUS_CODES } from 'node:http';
import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { mintId } from '../store/mint.ts';
import type { ApiState } from './call.ts';
import { Refusal, renderError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** The largest body we read: the largest valid payment needs about half of it. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Objects and arrays inside one another: the deepest valid body has 2. */
export const MAX_JSON_DEPTH = 8;
/** Names, values, colons and brackets of a body: the largest valid one has fewer than 250. */
export const MAX_JSON_TOKENS = 1_000;
/** The longest path with query, in characters: the longest valid one has far less. */
export const MAX_URI_LENGTH = 8 * 1024;
/** All headers and the request line together, in bytes; what Node itself takes by default. */
const MAX_HEADER_BYTES = 16 * 1024;
/** A client that needs longer to send its headers (ms) is broken or means no good. */
const HEADERS_TIMEOUT_MS = 10_000;
/** 64 KiB in 20 s are 26 kbit/s: slower is no server. */
const REQUEST_TIMEOUT_MS = 20_000;
/** How often Node looks for requests that are over time. */
const CHECK_EVERY_MS = 1_000;
/** So long (ms) a client that is hung up on has for reading why; then the connection is taken. */
const LINGER_MS = 1_000;
/** Longer than the 60 s of usual load balancers, so that it is they who close idle connections. */
const KEEP_ALIVE_MS = 65_000;

/** For `http.createServer(listenOptions, api.callback())`. */
export const listenOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Node would refuse with an empty answer; `limitHead` refuses with one of ours.
  requireHostHeader: false,
} as const satisfies ServerOptions;

const REFUSED_BY_NODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers what Node refuses by itself (broken HTTP, headers too large, too slow, CONNECT) from the
 * same catalogue as everything else. `apiUrl` is where the documentation of errors is.
 */
export function attachLimits(server: Server, apiUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    const code = REFUSED_BY_NODE[error.code ?? ''];
    hangUp(socket, apiUrl, code ? new Refusal(code) : brokenHttp());
  });
  server.on('connect', (_, socket: Duplex) => {
    hangUp(socket, apiUrl, new Refusal('method_not_allowed', { headers: { Allow: '' } }));
  });
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1); Node would say 417.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
}

const brokenHttp = (): Refusal =>
  new Refusal('parameter_invalid', { message: 'The request is not valid HTTP.' });

/** Answers where there is no response to write to, and ends the connection on both sides. */
function hangUp(socket: Duplex, apiUrl: string, refusal: Refusal): void {
  const requestId = mintId('request');
  const about = { apiUrl, requestId, problem: false };
  const { status, contentType, text } = renderError(refusal, about);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Request-Id: ${requestId}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  // Nobody else listens to the socket of a CONNECT: its reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`).resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Whether an answer is under way already: Node's own handler looks at the same field. */
function isAnswering(socket: Duplex): boolean {
  const { _httpMessage } = socket as { _httpMessage?: { headersSent?: boolean } | null };
  return _httpMessage?.headersSent === true;
}

/**
 * Refuses addresses that are too long to be ours, and of what Node lets through other versions of
 * HTTP and requests that do not name one host (RFC 9112, 3.2; HTTP/1.0 may name none).
 */
export const limitHead: Middleware<ApiState> = async (ctx, next) => {
  const { httpVersion, headersDistinct } = ctx.req;
  const hosts = headersDistinct['host']?.length ?? 0;
  const isKnown = httpVersion === '1.0' || (httpVersion === '1.1' && hosts === 1);
  if (!isKnown || hosts > 1) throw brokenHttp();
  if (ctx.url.length > MAX_URI_LENGTH) throw new Refusal('uri_too_long');
  await next();
};
