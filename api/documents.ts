/** The API's own description, for programs (`/openapi.json`) and for people (`/docs`). */
import { createHash } from 'node:crypto';
import type { Answer, Published } from './call.ts';

/** What is served without a key besides the state of the service. */
export interface Documents {
  readonly openApi: Answer;
  readonly docs: Answer;
}

/** Anybody may keep a copy, and asks each time whether it is still the same. */
const CACHING = 'no-cache';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

function page(text: string, headers: Readonly<Record<string, string>>): Answer {
  const ETag = `"${sha256(text)}"`;
  return {
    status: 200,
    text: Buffer.from(text),
    headers: { 'Cache-Control': CACHING, ETag, ...headers },
  };
}

/** The text inside each element of that name, which has nothing of its own inside. */
function insidesOf(html: string, element: 'style' | 'script'): string[] {
  const elements = html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, 'g'));
  return Array.from(elements, ([, inside = '']) => inside).filter((inside) => inside !== '');
}

/** Nothing is loaded from anywhere but here, and of inline code only what the page came with. */
function policyOf(html: string): string {
  const hashes = (element: 'style' | 'script'): string =>
    insidesOf(html, element)
      .map((inside) => ` 'sha256-${sha256(inside)}'`)
      .join('');
  return [
    "default-src 'none'",
    `style-src 'self'${hashes('style')}`,
    `script-src 'self'${hashes('script')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Both documents as they will be answered, made once. */
export function makeDocuments(openApi: object, docsPage: string): Documents {
  return {
    // Other sites' tools may read it: it is the same for everybody and says nothing of anybody.
    openApi: page(JSON.stringify(openApi), { 'Access-Control-Allow-Origin': '*' }),
    docs: page(docsPage, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(docsPage),
    }),
  };
}

/** `GET /openapi.json`. */
export async function getOpenApi({ documents }: Published): Promise<Answer> {
  return documents.openApi;
}

/** `GET /docs`. */
export async function getDocs({ documents }: Published): Promise<Answer> {
  return documents.docs;
}
