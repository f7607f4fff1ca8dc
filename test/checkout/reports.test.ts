/** Reports of violations. A true one has the page's secret address, and an enemy sends millions. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { subscribe } from '../../facts.ts';
import { mintToken } from '../../store/mint.ts';
import { closeAfterTests } from '../support/close.ts';
import { openBench } from './harness.ts';

const bench = closeAfterTests(await openBench('reports', { limits: { trustedHops: 1 } }));
const TOKEN = mintToken();
const PAGE = `https://pay.example/base/c/${TOKEN}`;
const NUMBER = '4242424242424242';

let senders = 0;
/** Sends a report. Each comes from another sender, unless `from` is given. */
const send = async (body: string, type = 'application/csp-report', from?: string) => {
  senders += 1;
  const sender = from ?? `10.0.${Math.floor(senders / 250)}.${senders % 250}`;
  const headers = { 'Content-Type': type, 'X-Forwarded-For': sender };
  return bench.call('/csp-reports', { method: 'POST', headers, body });
};

/** Lines of the log about reports, or about requests for them. */
const logged = () =>
  bench.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'a page violated its security policy' || msg === 'request');

const directives: string[] = [];
const stop = subscribe('violation', ({ directive }) => directives.push(directive));

/** A new minute, in which everything is logged again. */
let nowMs = Math.ceil(Date.now() / 60_000) * 60_000;
const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
closeAfterTests({
  close: async () => {
    clock.mockRestore();
    stop();
  },
});
afterEach(() => {
  nowMs += 120_000;
  bench.lines.length = 0;
  directives.length = 0;
});

const old = (blocked: unknown, more: object = {}) =>
  JSON.stringify({
    'csp-report': {
      'effective-directive': 'script-src-elem',
      'blocked-uri': blocked,
      'document-uri': PAGE,
      'script-sample': NUMBER,
      referrer: PAGE,
      'line-number': 7,
      ...more,
    },
  });

describe('a report', () => {
  it('is logged in both forms, with known fields only', async () => {
    const body = {
      effectiveDirective: 'connect-src',
      blockedURL: `https://evil.example/${TOKEN}?n=${NUMBER}`,
      documentURL: `https://pay.example/bank/pay_1/att_1/${TOKEN}`,
      sourceFile: `https://pay.example/c/${TOKEN}`,
      sample: NUMBER,
      lineNumber: 3,
    };
    const modern = JSON.stringify([{ type: 'csp-violation', body, url: PAGE }, { type: 'x' }]);
    expect((await send(old('inline'))).status).toBe(204);
    expect((await send(modern, 'application/reports+json')).status).toBe(204);
    expect(logged()).toMatchObject([
      { level: 40, directive: 'script-src-elem', blocked: 'inline', page: 'c', source: 'none' },
      {
        directive: 'connect-src',
        blocked: 'https://evil.example',
        page: 'bank',
        source: 'https://pay.example',
        line: 3,
      },
    ]);
    expect(directives).toEqual(['script-src-elem', 'connect-src']);
    expect(bench.lines.join('')).not.toMatch(new RegExp(`${TOKEN}|${NUMBER}|pay_1`));
  });

  it.each([
    ['https://a.example:8443/x?y#z', 'https://a.example:8443'],
    [`https://user:${NUMBER}@a.example/`, 'https://a.example'],
    [`https://${NUMBER}.evil.example/`, 'https://(digits).evil.example'],
    ['https://4242-4242-4242-4242.evil.example/', 'https://(digits).evil.example'],
    ['https://4242.4242.4242.4242.evil.example/', 'https://(digits).evil.example'],
    [`https://${'a'.repeat(43)}.evil.example/`, 'https://(long).evil.example'],
    [`https://${'ab.'.repeat(60)}example/`, `https://${'ab.'.repeat(60)}`.slice(0, 100)],
    ['wss://a.example/socket', 'wss://a.example'],
    ['data:text/html,4242', 'data'],
    ['data', 'data'],
    ['blob:https://pay.example/1', 'blob'],
    ['chrome-extension://abcdef/x.js', 'chrome-extension'],
    ['trusted-types-sink', 'trusted-types-sink'],
    [NUMBER, 'other'],
    ['file:///etc/passwd', 'other'],
    ['', 'other'],
    [undefined, 'none'],
    [{ toString: NUMBER }, 'none'],
  ])('about %j names %j', async (blocked, expected) => {
    await send(old(blocked, { 'effective-directive': `x-${NUMBER}`, 'line-number': NUMBER }));
    expect(logged()).toMatchObject([{ directive: 'other', blocked: expected, line: null }]);
    expect(bench.lines.join('')).not.toContain(NUMBER);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a text', '"csp-report"'],
    ['another report', '[{"type":"deprecation","body":{}}]'],
    ['null inside', '{"csp-report":null}'],
    ['a list inside a list', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
    ['too many bytes', old('x'.repeat(17 * 1024))],
  ])('is dropped with 204 if it has %s', async (_, body) => {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([204, '']);
    expect(logged()).toEqual([]);
  });

  it('is dropped with 204 if it has another type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await send(old('inline'), type)).status).toBe(204);
    }
    expect(logged()).toEqual([]);
  });

  it('has no other method', async () => {
    expect((await bench.call('/csp-reports')).status).toBe(404);
  });
});

describe('a flood', () => {
  it('of the same report is logged once a minute, and counted', async () => {
    for (let n = 0; n < 20; n += 1) await send(old(`https://evil.example/${n}`));
    expect(logged()).toHaveLength(1);
    expect(directives).toHaveLength(20);
    nowMs += 60_000;
    await send(old('https://evil.example/'));
    expect(logged()).toHaveLength(2);
  });

  it('of different reports is logged 30 times a minute', async () => {
    for (let n = 0; n < 40; n += 1) await send(old(`https://evil${n}.example/`));
    expect(logged()).toHaveLength(30);
    expect(directives).toHaveLength(40);
  });

  it('of one sender is not read beyond its burst, and of all not beyond theirs', async () => {
    const all = Array.from({ length: 50 }, async () => send(old('inline'), undefined, '192.0.2.1'));
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
    expect(directives).toHaveLength(15);
    for (let n = 0; n < 120; n += 1) await send(old('inline'));
    expect(directives).toHaveLength(100);
  });
});
