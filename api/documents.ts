/** The API's own description, for programs (`/openapi.json`) and for people (`/docs`). */
import { createHash } from 'node:crypto';
import type { Reply } from './call.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Returns a response that anyone may cache, but must revalidate before each use. */
function cacheable(text: string, headers: Readonly<Record<string, string>>): Reply {
  const caching = { 'Cache-Control': 'no-cache', ETag: `"${sha256(text)}"` };
  return { status: 200, text: Buffer.from(text), headers: { ...caching, ...headers } };
}

/** Returns a policy that allows no foreign source, and only the inline code of this page. */
function policyOf(html: string): string {
  const hashes = (element: 'style' | 'script'): string =>
    Array.from(
      html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, 'g')),
      ([, code = '']) => (code === '' ? '' : ` 'sha256-${sha256(code)}'`),
    ).join('');
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

/** Creates the responses with both documents. Call it once. */
export function makeDocuments(
  openApi: object,
  docsPage: string,
): { readonly openApi: Reply; readonly docs: Reply } {
  return {
    // Tools on other sites may read it. It is the same for everyone and has no merchant's data.
    openApi: cacheable(JSON.stringify(openApi), { 'Access-Control-Allow-Origin': '*' }),
    docs: cacheable(docsPage, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(docsPage),
    }),
  };
}
