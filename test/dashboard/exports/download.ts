/** Downloads of exports in tests, and an independent reader of CSV. */
import type { Browser, Ground } from '../harness.ts';

export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The cells of each line, the header first. Empty for a page. */
  readonly lines: string[][];
}

const cookieOf = (browser: Browser): string =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Sends the request of a download. The body is not read yet. */
export async function open(ground: Ground, browser: Browser, path: string): Promise<Response> {
  const headers = { Cookie: cookieOf(browser) };
  return fetch(ground.url + path, { headers, redirect: 'manual' });
}

/** Downloads an export. Rejects if its end is missing. */
export async function download(ground: Ground, browser: Browser, path: string): Promise<Download> {
  const { status, headers, ...response } = await openWhole(ground, browser, path);
  const isCsv = headers.get('content-type')?.startsWith('text/csv');
  return { status, headers, ...response, lines: isCsv ? parseCsv(response.bytes) : [] };
}

async function openWhole(ground: Ground, browser: Browser, path: string) {
  const response = await open(ground, browser, path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Parses CSV by RFC 4180. Throws without a byte order mark, or within an open quote. */
export function parseCsv(bytes: Uint8Array): string[][] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!text.startsWith('\uFEFF')) throw new Error('There is no byte order mark.');
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error('The text is not CSV.');
    line.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** Returns the lines as objects by the names in the header. */
export function rowsOf([header = [], ...lines]: string[][]): Record<string, string>[] {
  return lines.map((cells) => Object.fromEntries(header.map((name, nth) => [name, cells[nth]!])));
}
