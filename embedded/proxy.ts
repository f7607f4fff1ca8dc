/**
 * A proxy in front of a web interface that serves every request. Any page in the developer's
 * browser can send one: to a host name of its own that resolves to this machine (DNS rebinding), or
 * by a form. The proxy refuses both.
 */
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

interface ProxyOptions {
  /** The port on 127.0.0.1 where the proxy listens. */
  port: number;
  /** The address where the web interface listens. */
  target: { host: string; port: number };
  /** Host names that requests may use, besides those of the loopback address. */
  hosts: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** A host name, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d+)?$/i;

/** The methods that change nothing. */
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Headers that concern a single connection, so they are not passed on. Nothing is upgraded. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** Starts the proxy and returns the function that closes it. Throws if the port is taken. */
export async function startProxy({
  port,
  target,
  hosts,
}: ProxyOptions): Promise<() => Promise<void>> {
  const names = new Set([...LOOPBACK_NAMES, ...hosts.map((host) => host.toLowerCase())]);
  const server = createServer((incoming, outgoing) => {
    const refusal = refuse(incoming, names);
    if (refusal === undefined) void forward(incoming, outgoing, target);
    else respond(outgoing, 403, refusal);
  });
  server.listen({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

/** Returns the reason to refuse a request; undefined to accept it. */
function refuse({ method = '', headers }: IncomingMessage, names: Set<string>): string | undefined {
  const { host = '', origin } = headers;
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  if (name === undefined || !names.has(name)) return 'This host name is not allowed here.';
  if (READS.includes(method) || origin === undefined) return undefined;
  const own = [`http://${host}`, `https://${host}`];
  return own.includes(origin) ? undefined : 'A page of another origin may change nothing here.';
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: ProxyOptions['target'],
): Promise<void> {
  const { method, url: path, headers } = incoming;
  // Each request has its own connection, so none reuses one that the interface has closed.
  const passed = request({ ...target, method, path, headers: endToEnd(headers), agent: false });
  outgoing.once('close', () => passed.destroy());
  passed.once('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
    pipeline(response, outgoing).catch(() => undefined);
  });
  passed.once('error', () => respond(outgoing, 502, 'The web interface does not respond.'));
  await pipeline(incoming, passed).catch(() => undefined);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}

function respond(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
}
