import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../../api/openapi.ts';
import { VERSION } from '../../version.ts';
import { API_URL } from './contract.ts';
import { DOCS_PAGE, openStand, readClient, serveApi } from './harness.ts';

const stand = await openStand('documents');

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('GET /openapi.json', () => {
  it('returns the whole document without a key', async () => {
    const reply = await stand.api.send('GET', '/openapi.json', { headers: { Authorization: '' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    const document = makeOpenApi({ apiUrl: API_URL, version: VERSION });
    expect(reply.json).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('returns 304 to a client that has the same copy', async () => {
    const { headers } = await stand.api.send('GET', '/openapi.json');
    expect(headers.get('cache-control')).toBe('no-cache');
    const etag = headers.get('etag') ?? '';
    const ask = async (known: string) =>
      stand.api.send('GET', '/openapi.json', {
        // Otherwise fetch would request a fresh copy.
        headers: { 'If-None-Match': known, 'Cache-Control': 'max-age=0' },
      });
    const again = await ask(etag);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await ask('"another"')).status).toBe(200);
  });
});

describe('GET /docs', () => {
  it('returns the page without a key', async () => {
    const reply = await stand.api.send('GET', '/docs', { headers: { Authorization: '' } });
    expect([reply.status, reply.text]).toEqual([200, DOCS_PAGE]);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('etag')).not.toBeNull();
  });

  it('returns the other pages, with 404 for a page that does not exist', async () => {
    const { mongo, temporal } = stand;
    const type = 'text/html; charset=utf-8';
    const docs = [
      { path: '/docs/api/payments', type, text: 'Payments' },
      { path: '/docs/quickstart.md', type: 'text/markdown; charset=utf-8', text: '# Quickstart' },
      { path: '/docs/not-found', type, text: 'No such page' },
    ];
    const api = await serveApi({ secret: '' }, { mongo, temporal, docs });
    const show = async (path: string) => {
      const { status, headers, text } = await api.send('GET', path);
      return [status, headers.get('content-type'), text];
    };
    expect(await show('/docs/api/payments')).toEqual([200, type, 'Payments']);
    const markdown = [200, 'text/markdown; charset=utf-8', '# Quickstart'];
    expect(await show('/docs/quickstart.md')).toEqual(markdown);
    for (const path of ['/docs/nowhere', '/docs/not-found', '/docs/api/..%2fpayments']) {
      expect(await show(path)).toEqual([404, type, 'No such page']);
    }
    await api.close();
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['identity', null],
  ])('to a client that accepts %s has the encoding %s', async (accepted, encoding) => {
    const headers = { 'Accept-Encoding': accepted };
    const reply = await stand.api.send('GET', '/docs', { headers });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(reply.headers.get('vary')).toBe('Accept-Encoding');
    expect(reply.text).toBe(DOCS_PAGE);
  });

  it('allows only the inline code of the page', async () => {
    const text = '<style>a{}</style><script type="module">1 < 2</script><style>b{}</style>';
    const { mongo, temporal } = stand;
    const docs = [{ path: '/docs', type: 'text/html', text }];
    const api = await serveApi({ secret: '' }, { mongo, temporal, docs });
    const policy = (await api.send('GET', '/docs')).headers.get('content-security-policy') ?? '';
    await api.close();
    const rules = policy.split('; ');
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain(`style-src 'self' ${hashOf('a{}')} ${hashOf('b{}')}`);
    expect(rules).toContain(`script-src 'self' ${hashOf('1 < 2')}`);
    expect(policy).not.toContain('unsafe');
  });
});

describe('GET /docs/tollgate-sdk.tgz', () => {
  const path = '/docs/tollgate-sdk.tgz';
  const anonymous = { Authorization: '' };

  it('returns the package without a key, its size to HEAD, and 304 to a client that has it', async () => {
    const bytes = await readClient();
    const reply = await fetch(stand.api.url + path);
    expect(reply.status).toBe(200);
    expect(bytes.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
    expect(reply.headers.get('content-type')).toBe('application/gzip');
    const head = await stand.api.send('HEAD', path, { headers: anonymous });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    const known = {
      'If-None-Match': reply.headers.get('etag') ?? '',
      'Cache-Control': 'max-age=0',
    };
    expect((await stand.api.send('GET', path, { headers: known })).status).toBe(304);
  });

  it('is read once for two downloads at once, and again after a failure', async () => {
    let reads = 0;
    const { mongo, temporal } = stand;
    const api = await serveApi(stand.tenant, {
      mongo,
      temporal,
      async readClient() {
        reads += 1;
        if (reads === 1) throw new Error('npm is missing');
        return Buffer.from('package');
      },
    });
    const download = async () => (await api.send('GET', path)).status;
    expect(await download()).toBe(500);
    expect(await Promise.all([download(), download()])).toEqual([200, 200]);
    expect(await download()).toBe(200);
    await api.close();
    expect(reads).toBe(2);
  });
});

describe('other responses', () => {
  it('are never 304', async () => {
    const headers = { 'If-None-Match': '*', 'Cache-Control': 'max-age=0' };
    expect((await stand.api.send('GET', '/v1/payments', { headers })).status).toBe(200);
  });
});
