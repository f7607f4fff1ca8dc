import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../../api/openapi.ts';
import { VERSION } from '../../version.ts';
import { API_URL } from './contract.ts';
import { DOCS_PAGE, serveApi, openStand } from './harness.ts';

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

  it('allows only the inline code of the page', async () => {
    const docsPage = '<style>a{}</style><script type="module">1 < 2</script><style>b{}</style>';
    const { mongo, temporal } = stand;
    const api = await serveApi({ secret: '' }, { mongo, temporal, docsPage });
    const policy = (await api.send('GET', '/docs')).headers.get('content-security-policy') ?? '';
    await api.close();
    const rules = policy.split('; ');
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain(`style-src 'self' ${hashOf('a{}')} ${hashOf('b{}')}`);
    expect(rules).toContain(`script-src 'self' ${hashOf('1 < 2')}`);
    expect(policy).not.toContain('unsafe');
  });
});

describe('other responses', () => {
  it('are never 304', async () => {
    const headers = { 'If-None-Match': '*', 'Cache-Control': 'max-age=0' };
    expect((await stand.api.send('GET', '/v1/payments', { headers })).status).toBe(200);
  });
});
