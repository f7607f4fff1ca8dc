/** What integrators get: the OpenAPI document, the documentation and the client's package. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ApiOptions, Reply } from './call.ts';

const sha256 = (text: string | Buffer): string =>
  createHash('sha256').update(text).digest('base64');

/** A document in both forms that a client may accept. */
export interface PublicDocument {
  readonly plain: Reply;
  /** Returns it compressed: it has no secret whose size could tell something. */
  readonly packed: () => Reply;
}

const cachingOf = (content: string | Buffer) => ({
  'Cache-Control': 'no-cache',
  ETag: `"${sha256(content)}"`,
});

/** Returns a document that anyone may cache, but must revalidate before each use. */
function cacheable(text: string, given: Readonly<Record<string, string>>): PublicDocument {
  const headers = { ...cachingOf(text), Vary: 'Accept-Encoding', ...given };
  const plain = { status: 200, text: Buffer.from(text), headers };
  let packed: Reply | undefined;
  return {
    plain,
    packed: () => {
      const encoded = { ...headers, 'Content-Encoding': 'gzip' };
      packed ??= { status: 200, text: gzipSync(plain.text), headers: encoded };
      return packed;
    },
  };
}

/** Returns the response with a package, which is compressed already. */
const packageReply = (bytes: Buffer): Reply => ({
  status: 200,
  text: bytes,
  headers: { ...cachingOf(bytes), 'Content-Type': 'application/gzip' },
});

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

/** The file that is sent, with 404, for a path of the documentation that has none. */
const MISSING = '/docs/not-found';

/** Creates the responses with the documents. Call it once. */
export function makeDocuments(
  openApi: object,
  { docs, readClient }: Pick<ApiOptions, 'docs' | 'readClient'>,
) {
  const files = new Map(
    docs.map(({ path, type, text }) => {
      const policy = type.startsWith('text/html')
        ? { 'Content-Security-Policy': policyOf(text) }
        : {};
      return [path, cacheable(text, { 'Content-Type': type, ...policy })] as const;
    }),
  );
  const missing = files.get(MISSING);
  let client: Promise<Reply> | undefined;
  return {
    // Tools on other sites may read it. It is the same for everyone and has no merchant's data.
    openApi: cacheable(JSON.stringify(openApi), { 'Access-Control-Allow-Origin': '*' }),
    /** Returns the file at a path of the documentation. */
    docsAt: (path: string): PublicDocument | undefined => {
      const file = files.get(path);
      if (file && file !== missing) return file;
      const gone = missing && { ...missing.plain, status: 404 };
      return gone && { plain: gone, packed: () => gone };
    },
    /** Returns the response with the client's package. Reads the package when it is first wanted. */
    client: async (): Promise<Reply> => {
      client ??= readClient().then(packageReply);
      try {
        return await client;
      } catch (error) {
        // The next request tries again.
        client = undefined;
        throw error;
      }
    },
  };
}
