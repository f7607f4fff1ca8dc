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
/** Longer than the 60 s of usual load balancers, so that it is they who close idle connections. */
const KEEP_ALIVE_MS = 65_000;

/** For `http.createServer(listenOptions, api.callback())`. */
export const listenOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const satisfies ServerOptions;

const REFUSED_BY_NODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers what Node refuses by itself (broken HTTP, headers too large, too slow) from the same
 * catalogue as everything else. `apiUrl` is where the documentation of errors is.
 */
export function attachLimits(server: Server, apiUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    const code = REFUSED_BY_NODE[error.code ?? ''];
    const refusal = code
      ? new Refusal(code)
      : new Refusal('parameter_invalid', { message: 'The request is not valid HTTP.' });
    const requestId = mintId('request');
    const { status, contentType, text } = renderError(refusal, {
      apiUrl,
      requestId,
      problem: false,
    });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      `Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  });
}

/** Whether an answer is under way already: Node's own handler looks at the same field. */
function isAnswering(socket: Duplex): boolean {
  const { _httpMessage } = socket as { _httpMessage?: { headersSent?: boolean } | null };
  return _httpMessage?.headersSent === true;
}

/** Refuses addresses that are too long to be ours. */
export const limitUri: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.url.length > MAX_URI_LENGTH) throw new Refusal('uri_too_long');
  await next();
};
