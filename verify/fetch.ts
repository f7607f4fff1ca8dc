/** Requests as a browser sends them, so that a page cannot tell this check from a customer. */
import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';

/** The time limit of a whole request. */
const TIMEOUT_MS = 15_000;
/** Many times the largest page or file. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Thrown if there was no whole response. */
export class NotReached extends Error {
  override name = 'NotReached';
}

type Kind = 'page' | 'script' | 'style' | 'font' | 'image';

const ACCEPT: Readonly<Record<Kind, string>> = {
  page: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  script: '*/*',
  style: 'text/css,*/*;q=0.1',
  font: '*/*',
  image: 'image/svg+xml,image/*,*/*;q=0.8',
};

function headersOf(kind: Kind): Record<string, string> {
  const isPage = kind === 'page';
  return {
    Accept: ACCEPT[kind],
    'Accept-Encoding': 'gzip',
    'Accept-Language': 'en-US,en;q=0.9',
    'Sec-Fetch-Dest': isPage ? 'document' : kind,
    'Sec-Fetch-Mode': isPage ? 'navigate' : 'no-cors',
    'Sec-Fetch-Site': isPage ? 'cross-site' : 'same-origin',
    'User-Agent':
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/142.0.0.0 Mobile Safari/537.36',
  };
}

/** Fetches an address once, without following redirects. Throws `NotReached`. */
export async function fetchAsBrowser(url: URL, kind: Kind): Promise<Fetched> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await respond(url, { headers: headersOf(kind), agent: false, signal });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    }
    const { statusCode: status = 0, headers } = response;
    const body = Buffer.concat(chunks);
    const isPacked = headers['content-encoding'] === 'gzip';
    const options = { maxOutputLength: MAX_BYTES };
    return { status, headers, body: isPacked ? gunzipSync(body, options) : body };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    const reason = signal.aborted ? `no response in ${TIMEOUT_MS / 1_000} s` : (code ?? message);
    throw new NotReached(`${url.origin} cannot be reached: ${reason}.`, { cause: error });
  }
}

async function respond(url: URL, options: http.RequestOptions): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end();
  });
}
