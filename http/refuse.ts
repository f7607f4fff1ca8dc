/** Responses to requests that Node refuses before the app. Each server has its own form. */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { MAX_URI_LENGTH } from './limits.ts';

/** A fault of a request that does not depend on its path. */
export type Fault = 'broken' | 'headers_too_large' | 'body_too_large' | 'timeout' | 'connect';

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Refuse = (fault: Fault) => Refused;

/** The time for a refused client to read the reason. Then its connection is destroyed. */
const LINGER_MS = 1_000;

const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
};

/** Sends the response of `refuse` for broken HTTP, large headers, slow senders and CONNECT. */
export function refuseBroken(server: Server, refuse: Refuse): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Browsers open spare connections, and attackers thousands. Unused ones get no response.
    const isSilent = socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || isSilent || !socket.writable || isResponding(socket)) {
      socket.destroy(error);
      return;
    }
    hangUp(socket, refuse(FAULTS[error.code ?? ''] ?? 'broken'));
  });
  server.on('connect', (_, socket: Duplex) => hangUp(socket, refuse('connect')));
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node would respond with 417.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
}

/** Sends a response without a response object, and closes the connection on both sides. */
function hangUp(socket: Duplex, { status, headers, text }: Refused): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  // The socket of a CONNECT has no other listener, so its reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`).resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Returns true if a response is already under way. Node's own handler reads the same field. */
function isResponding(socket: Duplex): boolean {
  const { _httpMessage } = socket as { _httpMessage?: { headersSent?: boolean } | null };
  return _httpMessage?.headersSent === true;
}

/**
 * Returns the status that refuses a request which Node accepts; undefined if it is fine. Returns
 * 400 for other versions of HTTP and for requests that do not name one host (RFC 9112, 3.2;
 * HTTP/1.0 may name none). Returns 414 for paths that are longer than any of ours.
 */
export function faultOfHead(req: IncomingMessage): 400 | 414 | undefined {
  const { httpVersion, headersDistinct, url = '' } = req;
  const hosts = headersDistinct['host']?.length ?? 0;
  const isKnown = httpVersion === '1.0' || (httpVersion === '1.1' && hosts === 1);
  if (!isKnown || hosts > 1) return 400;
  return url.length > MAX_URI_LENGTH ? 414 : undefined;
}

const PAGE_STATUS: Readonly<Record<Fault, number>> = {
  broken: 400,
  headers_too_large: 431,
  body_too_large: 413,
  timeout: 408,
  connect: 405,
};

/**
 * Refuses with a short plain text, for servers of pages. The language and the page are not known
 * yet.
 */
export const refusePlainly: Refuse = (fault) => {
  const status = PAGE_STATUS[fault];
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      ...(fault === 'connect' ? { Allow: '' } : {}),
    },
    text: `${STATUS_CODES[status] ?? ''}\n`,
  };
};

/** Throws the HTTP error for a head that is refused, in apps of pages. */
export const checkHead: Middleware = async (ctx, next) => {
  const status = faultOfHead(ctx.req);
  if (status) ctx.throw(status);
  await next();
};

/** The part of a router that tells which methods an address has. */
interface Matcher {
  match(path: string, method: string): { readonly path: readonly { readonly methods: string[] }[] };
}

/** Throws 405 if the router has the path with other methods, else 404. */
export function refuseUnrouted(router: Matcher): Middleware {
  return (ctx) => {
    const layers = router.match(ctx.path, ctx.method).path;
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))];
    if (allowed.length === 0) ctx.throw(404);
    ctx.set('Allow', allowed.join(', '));
    ctx.throw(405);
  };
}
