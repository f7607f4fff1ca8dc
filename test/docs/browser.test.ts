/** The pages in a real browser: layout, keyboard, search, languages and old anchors. */
import { describe, expect, it } from 'vitest';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { renderMarkdown } from '../../docs/markdown.ts';
import { openStand, serveApi } from '../api/harness.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { until } from '../support/until.ts';
import anchors from './anchors.json' with { type: 'json' };
import { API_URL, makeFiles, makeReference } from './reference.ts';

/** Axe checks about a thousand elements of a page, on a machine that may be busy. */
const MEASURING_MS = 180_000;

const SIZES = {
  phone: { viewport: { width: 320, height: 740 }, colorScheme: 'dark' },
  wide: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
} as const;

/** A page of each kind. */
const KINDS = [
  '',
  '/quickstart',
  '/webhooks',
  '/api/refunds',
  '/errors',
  '/commands',
  '/operating',
];

const files = makeFiles();
const stand = await openStand('docs');
const example = (language: string): string => `\`\`\`${language}\nin ${language}\n\`\`\`\n\n`;
const examples = `${example('sh')}${example('python')}text\n\n${example('sh')}${example('ts')}`;
/** A page of today with these examples in place of its text. */
const languages = {
  path: '/docs/languages',
  type: 'text/html; charset=utf-8',
  text: (files.find(({ path }) => path === '/docs/live')?.text ?? '').replace(
    /<article[^]*<\/article>/,
    `<article>${renderMarkdown(examples, { ...makeReference(), pageLinkOf: () => '', readFile: () => '' })}</article>`,
  ),
};
const api = closeAfterTests(
  await serveApi(stand.tenant, { ...stand, docs: [...files, languages] }),
);
const browser = closeAfterTests(await openBrowser());

/** Opens a page. `requested` collects its requests, and `complaints` its console messages. */
async function open(path = '', options: BrowserContextOptions = SIZES.wide) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${api.url}/docs${path}`);
  return { page, requested, complaints, close: async () => context.close() };
}

describe('a page of each kind', () => {
  const cases = KINDS.flatMap((path) =>
    (['phone', 'wide'] as const).map((size) => [path, size] as const),
  );

  it.each(cases)(
    '/docs%s has no fault that axe finds, and never scrolls sideways (%s)',
    async (path, size) => {
      const { page, requested, complaints, close } = await open(path, SIZES[size]);
      await page.evaluate(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))",
      );
      // Measuring is slow, and the later entries have the same colours.
      expect(await faultsOf(page, '{ exclude: ".entry ~ .entry ~ .entry" }')).toEqual([]);
      const root = 'document.documentElement';
      const { width } = SIZES[size].viewport;
      expect(await page.evaluate(`[${root}.scrollWidth, innerWidth]`)).toEqual([width, width]);
      expect([requested, complaints]).toEqual([[`${api.url}/docs${path}`], []]);
      await close();
    },
    MEASURING_MS,
  );

  it('opens and closes the list of pages on a phone, without scripts', async () => {
    const { page, close } = await open('', { ...SIZES.phone, javaScriptEnabled: false });
    const contents = page.locator('#contents');
    expect([await contents.isVisible(), await page.isVisible('#search')]).toEqual([false, false]);
    await page.getByRole('link', { name: 'Menu' }).click();
    await contents.getByRole('link', { name: 'Errors', exact: true }).last().click();
    expect(new URL(page.url()).pathname).toBe('/docs/errors');
    expect(await contents.isVisible()).toBe(false);
    await close();
  });

  it('lets a keyboard skip the list of pages', async () => {
    const { page, close } = await open();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :focus').count()).toBe(1);
    await close();
  });

  it('copies an example with the key of the reader', async () => {
    const { page, close } = await open('/quickstart', {
      ...SIZES.wide,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.code', { hasText: '/v1/payments \\' }).locator('.copy').first().click();
    await until(
      async () => page.evaluate(() => navigator.clipboard.readText()),
      (text) => text.startsWith(`curl ${API_URL}/v1/payments \\\n`) && !text.includes('Copy'),
    );
    await close();
  });
});

const shown = async (page: Page): Promise<string[]> =>
  page.locator('.examples pre:visible').allTextContents();

describe('examples in several languages', () => {
  it('show the chosen one on every page, and all of them without scripts', async () => {
    const { page, complaints, close } = await open('/languages');
    expect(await shown(page)).toEqual(['in sh', 'in sh']);
    await page.getByRole('button', { name: 'Python' }).first().click();
    expect(await shown(page)).toEqual(['in python', 'in sh']);
    await page.reload();
    expect(await shown(page)).toEqual(['in python', 'in sh']);
    const pressed = page.locator('.choices [aria-pressed="true"]');
    expect(await pressed.allTextContents()).toEqual(['Python', 'curl']);
    expect(await faultsOf(page, '".examples"')).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
    const plain = await open('/languages', { ...SIZES.wide, javaScriptEnabled: false });
    expect(await shown(plain.page)).toEqual(['in sh', 'in python', 'in sh', 'in ts']);
    await plain.close();
  });
});

describe('an old anchor', () => {
  it('of every kind leads to its page', async () => {
    const { page, close } = await open();
    const kinds = ['refund_too_large', 'event-payment-completed', 'createPayment', 'test-mode'];
    const all: Readonly<Record<string, string>> = anchors;
    for (const anchor of [...kinds, 'object-refund', 'webhooks-retries', 'reference-payments']) {
      await page.goto(`${api.url}/docs`);
      await page.goto(`${api.url}/docs#${anchor}`);
      const wanted = `${api.url}${all[anchor]}`;
      await until(
        () => page.url(),
        (url) => url === wanted,
      );
    }
    await close();
  });

  it('of an error shows it below the bar, also without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const phone = { ...SIZES.phone, javaScriptEnabled };
      const { page, close } = await open('#refund_too_large', phone);
      if (javaScriptEnabled) await page.waitForURL('**/docs/errors#refund_too_large');
      const box = await page.locator('#refund_too_large').boundingBox();
      expect(box?.y).toBeGreaterThan(40);
      expect(box?.y).toBeLessThan(740);
      await close();
    }
  });
});

describe('the search', () => {
  it.each([
    ['return url', '/docs/api/payments#createPayment'],
    ['refund_too_large', '/docs/errors#refund_too_large'],
    ['payment.completed', '/docs/events#payment.completed'],
    ['trigger', '/docs/commands#trigger'],
    ['retries', '/docs/webhooks#retries'],
    ['quickst', '/docs/quickstart'],
    ['--forward-to', '/docs/commands#listen'],
    // With a letter left out, added, replaced and two swapped.
    ['retrn url', '/docs/api/payments#createPayment'],
    ['retriess', '/docs/webhooks#retries'],
    ['triggar', '/docs/commands#trigger'],
    ['quikcstart', '/docs/quickstart'],
  ])('finds %s first', async (text, wanted) => {
    const { page, close } = await open('/limits');
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.locator('[aria-selected="true"]').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(api.url + wanted);
    await close();
  });

  it('is moved through by arrows, closed by Escape, and works offline once loaded', async () => {
    const { page, requested, close } = await open();
    await page.locator('#search').focus();
    await page.keyboard.type('webhook');
    await page.locator('[aria-selected="true"]').waitFor();
    await page.context().setOffline(true);
    await page.keyboard.type('s');
    await page.keyboard.press('ArrowDown');
    const active = await page.locator('#search').getAttribute('aria-activedescendant');
    expect(active).toBe('found-1');
    expect(await faultsOf(page, '".top"')).toEqual([]);
    expect(await page.locator('#found-1').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const count = await page.locator('#found > li').count();
    expect(await page.locator('[aria-selected="true"]').getAttribute('id')).toBe(
      `found-${count - 1}`,
    );
    await page.keyboard.press('Escape');
    expect(await page.locator('#found').isVisible()).toBe(false);
    await page.keyboard.type('quikcstart');
    expect(await page.getByRole('status').textContent()).toMatch(
      /^Nothing found for "quikcstart". \d+ results? for "quickstart".$/,
    );
    await page.keyboard.press('Escape');
    await page.keyboard.type('<b>zzz');
    expect(await page.getByRole('status').textContent()).toBe('Nothing found for "<b>zzz".');
    expect(requested.filter((url) => url.endsWith('.json'))).toHaveLength(1);
    await close();
  });
});

/** Returns the faults that axe finds, each with one element. Fails if axe checked nothing. */
async function faultsOf(page: Page, how: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const result = await page.evaluate(`axe.run(${how}).then(({ violations, passes }) => ({
    faults: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    seen: passes.length,
  }))`);
  const { faults, seen } = result as { faults: string[]; seen: number };
  expect(seen).toBeGreaterThan(0);
  return faults;
}
