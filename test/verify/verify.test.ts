/** The check of payment pages: pages in order have no difference, and each change is reported. */
import { afterEach, describe, expect, it } from 'vitest';
import { IDENTITY_PATH } from '../../http/identity.ts';
import { updateMerchant } from '../../operations/change-merchant.ts';
import { mintId } from '../../store/mint.ts';
import { compareHeaders } from '../../verify/headers.ts';
import { makeInventory } from '../../verify/inventory.ts';
import { comparePage } from '../../verify/page.ts';
import { verifyPage } from '../../verify/verify.ts';
import { STATES, openBench, paymentIn } from '../checkout/harness.ts';
import { ACTOR } from '../support/audit.ts';
import { closeAfterTests } from '../support/close.ts';
import { openTamper } from './tamper.ts';
import type { Passing } from './tamper.ts';

const bench = closeAfterTests(await openBench('verify'));
const tamper = closeAfterTests(await openTamper(bench.origin));
const merchant_id = mintId('merchant');
const created_at = new Date();
await bench.mongo.merchants.insertOne({ _id: merchant_id, name: 'Tea', locale: 'en', created_at });
await updateMerchant(
  { mongo: bench.mongo, actor: ACTOR },
  { merchant: merchant_id, colour: '#0a5c36' },
);

const pageIn = async (state: (typeof STATES)[number]): Promise<URL> => {
  const payment = await bench.put(paymentIn(state, { merchant_id }));
  return new URL(`/c/${payment.checkout_token}`, tamper.origin);
};
const form = await pageIn('open');
const waiting = await pageIn('waiting');

/** Returns the texts of all differences. */
const differencesOf = async (page: URL, change: (passing: Passing) => void = () => undefined) => {
  tamper.state.change = change;
  return (await verifyPage(page)).differences.map(({ text }) => text);
};

const response = await fetch(form);
const original = { path: form.pathname, status: 200, headers: {}, body: await response.text() };
const place = { url: form, base: '', inventory: makeInventory('') };

/** Returns the texts of all differences of a page that is changed, without its files. */
const compare = async (change: (passing: Passing) => void): Promise<string[]> => {
  const passing = { ...original, headers: Object.fromEntries(response.headers) };
  change(passing);
  const differences = await compareHeaders(passing.headers, form.origin);
  return [...differences, ...comparePage(passing.body, place).differences].map(({ text }) => text);
};

afterEach(() => {
  tamper.state.change = () => undefined;
});

describe('a page as Tollgate sends it', () => {
  it.each(STATES)('has no difference when %s', async (state) => {
    expect(await differencesOf(await pageIn(state))).toEqual([]);
  });

  it('has none on its other pages, and under a path prefix either', async () => {
    expect(await differencesOf(new URL(`${form.href}/cancel`))).toEqual([]);
    const atBank = await bench.put(paymentIn('at_bank'));
    expect(await differencesOf(new URL(bench.bankPath(atBank, '/code'), tamper.origin))).toEqual(
      [],
    );
  });

  it('is named without its secrets, and with the inventory', async () => {
    const report = await verifyPage(form);
    expect(JSON.stringify(report)).not.toContain(form.pathname.slice(3));
    expect(report).toMatchObject({ same: true, page: `${tamper.origin}/c/...` });
    const script = report.inventory.find(({ name }) => name === 'wait.js');
    expect(script?.sha256).toMatch(/^[\da-f]{64}$/);
    expect(script?.reason).toContain('sends nothing');
  });
});

/** Inserts markup before the end of the head or body. */
const insert =
  (markup: string, before = '</head>') =>
  (passing: Passing) => {
    passing.body = passing.body.replace(before, markup + before);
  };
const replace = (from: string | RegExp, to: string) => (passing: Passing) => {
  expect(passing.body).toMatch(from);
  passing.body = passing.body.replace(from, to);
};
const set = (name: string, value?: string) => (passing: Passing) => {
  delete passing.headers[name];
  if (value !== undefined) passing.headers[name] = value;
};
const policy = (from: string | RegExp, to: string) => (passing: Passing) => {
  const name = 'content-security-policy';
  passing.headers[name] = passing.headers[name]!.replace(from, to);
};
const file = (start: string, change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.path.startsWith(start)) change(passing);
};

const MARKUP: [string, (passing: Passing) => void, RegExp][] = [
  ['a script of our origin', insert('<script src="/x.js"></script>'), /^script: \/x\.js is not in/],
  ['a foreign script', insert('<script src="//evil.example/x.js"></script>'), /foreign origin/],
  ['an inline script', insert('<script>alert(1)</script>'), /^inline script: "alert\(1\)" was/],
  ['an empty script', insert('<script></script>'), /^inline script/],
  ['a script of SVG', insert('<svg><script xlink:href="/x.js"></script></svg>'), /^inline script/],
  ['a style sheet', insert('<link rel="stylesheet" href="/x.css"/>'), /^style sheet: \/x\.css/],
  ['a preload', insert('<link rel="preload" href="/x.js" as="script"/>'), /^link: rel="preload"/],
  ['an import', insert('<link rel="modulepreload" href="/x.js"/>'), /^link: rel="modulepreload"/],
  ['an inline style sheet', insert('<style>*{}</style>'), /^element: <style>/],
  ['an inline style', insert('<p style="top:0"></p>', '</main>'), /^inline style: <p>/],
  ['an event handler', insert('<p ONCLICK="x()"></p>', '</main>'), /^event handler: <p onclick>/],
  ['a refresh', insert('<meta http-equiv="refresh" content="0;url=//e.example"/>'), /^meta: /],
  ['a policy', insert('<meta http-equiv="Content-Security-Policy" content="x"/>'), /^meta: /],
  ['a referrer policy', insert('<meta name="referrer" content="unsafe-url"/>'), /^meta: name=ref/],
  ['a base', insert('<base href="https://evil.example/"/>'), /^element: <base>/],
  ['a frame', insert('<iframe src="/c/x"></iframe>', '</main>'), /^element: <iframe>/],
  ['a foreign image', insert('<img src="https://e.example/i.gif"/>', '</main>'), /^address: <img/],
  [
    'a form',
    insert('<form method="post" action="//e.example/"></form>', '</main>'),
    /^form: action/,
  ],
  ['a form by GET', replace('method="post"', 'method="get"'), /^form: method="get" shows/],
  ['an action', replace('action="/c/', 'action="/x/c/'), /^form: action=.* leads elsewhere/],
  ['a button', insert('<button formaction="//e.example/">', '</form>'), /^form: formaction=/],
  ['a link', insert('<a href="java\tscript:alert(1)">', '</main>'), /^link: href=.*no web address/],
  ['an entity', insert('<a href="&#106;avascript:x">', '</main>'), /^markup: <a href="&#106;/],
  ['single quotes', insert("<a href='/x'>", '</main>'), /^markup: <a href='\/x'/],
  ['a comment', insert('<!-- <p> -->', '</main>'), /^markup: <!-- <p> -->.* is not written so/],
  ['no doctype', replace('<!doctype html>', ''), /^markup: /],
  [
    'no integrity',
    replace(/ integrity="[^"]+"/, ''),
    /has the integrity \(none\) instead of sha384/,
  ],
  ['another integrity', replace(/sha384-.{5}/, 'sha384-AAAAA'), /has the integrity sha384-AAAAA/],
  [
    'another version',
    replace(/checkout\.css\?v=.{5}/, 'checkout.css?v=AAAAA'),
    /is not in the inventory/,
  ],
];

describe('a change of the markup', () => {
  it.each(MARKUP)('is reported: %s', async (_, change, expected) => {
    const [first, ...more] = await compare(change);
    expect(first).toMatch(expected);
    expect(more.length).toBeLessThan(3);
  });

  it('is reported without control characters, and cut', async () => {
    const hostile = `<script>\u001b[31m\u202e${'x'.repeat(500)}</script>`;
    const [text = ''] = await differencesOf(form, file('/c/', insert(hostile)));
    expect(text).not.toMatch(/[\p{C}]/u);
    expect(text.length).toBeLessThan(301);
  });
});

const HEADERS: [string, (passing: Passing) => void, RegExp | null][] = [
  ['no policy', set('content-security-policy'), /^The header content-security-policy is missing/],
  [
    'a weaker policy',
    policy("script-src 'self'", "script-src 'self' 'unsafe-inline'"),
    /has "script-src/,
  ],
  ['no form-action', policy("form-action 'self'", 'x-y z'), /new directive|no form-action/],
  [
    'a directive that hides ours',
    policy('default-src', 'script-src *;default-src'),
    /script-src \*/,
  ],
  ['a second policy', policy(/$/, ', default-src *'), null],
  ['no nosniff', set('x-content-type-options'), /^The header x-content-type-options is missing/],
  ['a cacheable page', set('cache-control', 'public'), /^The header cache-control is "public"/],
  ['a stricter cache', set('cache-control', 'private, no-store'), null],
  ['a header twice', set('x-content-type-options', 'nosniff, nosniff'), null],
  ['a referrer', set('referrer-policy', 'unsafe-url'), /^The header referrer-policy is/],
  ['frames', set('x-frame-options', 'SAMEORIGIN'), /^The header x-frame-options is/],
  ['another type', set('content-type', 'text/html; charset=utf-7'), /^The header content-type is/],
  ['a link', set('link', '</x.css>; rel=stylesheet'), /^The header link was added/],
  ['a refresh', set('refresh', '0;url=//e.example'), /^The header refresh was added/],
  ['foreign reports', set('nel', '{}'), /^The header nel was added/],
  ['shared reading', set('access-control-allow-origin', '*'), /^The header access-control/],
];

describe('a change of the headers', () => {
  it.each(HEADERS)('is judged: %s', async (_, change, expected) => {
    const differences = await compare(change);
    if (expected === null) expect(differences).toEqual([]);
    else expect(differences[0]).toMatch(expected);
  });
});

const append = (passing: Passing) => void (passing.body += '\n');

describe('a change of a file', () => {
  it.each([
    ['a script', waiting, file('/assets/wait.js', append), /^wait\.js: its bytes have SHA-384/],
    ['a style sheet', form, file('/assets/checkout.css', append), /^checkout\.css: its bytes have/],
    ['a colour', form, file('/colours/', append), /^colour #0a5c36: its bytes have/],
    [
      'a type',
      form,
      file('/assets/', set('content-type', 'text/plain')),
      /its type is text\/plain/,
    ],
    [
      'a lost file',
      form,
      file('/assets/checkout', (at) => void (at.status = 404)),
      /response was 404/,
    ],
  ])('is reported: %s', async (_, page, change, expected) => {
    expect((await differencesOf(page, change))[0]).toMatch(expected);
  });
});

describe('the server', () => {
  it('is told apart by its version', async () => {
    const old = file(IDENTITY_PATH, (at) => {
      Object.assign(at, { status: 200, body: '{"service":"checkout","version":"0.0.1"}' });
    });
    expect((await differencesOf(form, old))[0]).toMatch(/^The server is version 0\.0\.1, and this/);
  });

  it('is reported if it leads to another origin', async () => {
    const away = file('/c/', (at) => {
      Object.assign(at, { status: 302, headers: { location: 'https://evil.example/c/x' } });
    });
    expect(await differencesOf(form, away)).toEqual(['The page redirects to https://evil.example']);
  });

  it('is not reached if it has no page there', async () => {
    await expect(differencesOf(new URL('/c/nobody', tamper.origin))).rejects.toThrow(/with 404/);
    await expect(differencesOf(new URL('http://127.0.0.1:1/c/x'))).rejects.toThrow(/ECONNREFUSED/);
    const loop = file('/c/', (at) => {
      Object.assign(at, { status: 302, headers: { location: at.path } });
    });
    await expect(differencesOf(form, loop)).rejects.toThrow(/without an end/);
  });
});
