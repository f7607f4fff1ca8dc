/** A GET request to a public address, as a client from outside makes it. */
import http from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';

/** The time limit of a request. */
const VISIT_MS = 5_000;
/** More than the documents that we ask for. */
const MAX_BODY_BYTES = 64 * 1024;

export interface Validity {
  readonly begins: Date;
  readonly ends: Date;
}

export interface Visit {
  readonly status: number;
  /** The body, or its beginning. */
  readonly text: string;
  /** The clock of the server or proxy, in Unix milliseconds; NaN without one. */
  readonly serverMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The validity of the certificate; null without TLS. */
  readonly certificate: Validity | null;
}

/** Requests the address on a new connection. Follows no redirect. Rejects without a response. */
export async function visit(url: string): Promise<Visit> {
  const signal = AbortSignal.timeout(VISIT_MS);
  const { get } = url.startsWith('https:') ? https : http;
  const beforeMs = Date.now();
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, signal }, resolve).on('error', (error) => {
      reject(signal.aborted ? new Error(`There was no response within ${VISIT_MS} ms.`) : error);
    });
  });
  const afterMs = Date.now();
  const { socket, statusCode: status = 0, headers } = response;
  // Read before the body, because the connection closes after it.
  const certificate = socket instanceof TLSSocket ? validityOf(socket) : null;
  return {
    status,
    text: await startOf(response),
    serverMs: Date.parse(headers.date ?? ''),
    beforeMs,
    afterMs,
    certificate,
  };
}

function validityOf(socket: TLSSocket): Validity {
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  return { begins: new Date(from), ends: new Date(to) };
}

async function startOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) break;
  }
  response.destroy();
  return Buffer.concat(chunks).toString();
}
