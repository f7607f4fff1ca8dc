import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { CATALOGUE } from '../../operations/refusal.ts';
import { codeHtml } from '../../docs/code.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { serveApi, openStand } from '../api/harness.ts';
import { closeAfterTests } from '../support/close.ts';
import { openBrowser } from '../support/browser.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { API_URL, makePage, makeReference } from './reference.ts';

const html = makePage();
const reference = makeReference();
const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
const links = [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => href);

const isIcon = (href: string): boolean => href.startsWith('data:image/svg+xml,');

describe('renderDocs', () => {
  it('has an anchor for every error, operation, event and object', () => {
    const operations = reference.operations.map(({ id }) => id);
    const events = EVENT_TYPES.map((type) => `event-${type.replaceAll('.', '-')}`);
    const objects = ['payment', 'refund', 'event', 'webhookendpoint', 'currency'];
    const wanted = [
      ...Object.keys(CATALOGUE),
      ...operations,
      ...events,
      ...objects.map((name) => `object-${name}`),
    ];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
    expect(operations.length).toBeGreaterThan(10);
  });

  it('shows the limits of the keys and values of metadata', () => {
    const texts = ['keys of at most 40 characters', '[A-Za-z0-9_.-]', 'values of at most 500'];
    expect(texts.filter((text) => !html.includes(text))).toEqual([]);
  });

  it('has no anchor twice', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has an anchor for every link within the page', () => {
    const inner = links.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
    expect(inner.filter((id) => !ids.includes(id))).toEqual([]);
    expect(inner.length).toBeGreaterThan(100);
  });

  it('links to these other pages only', () => {
    const outer = new Set(links.filter((href) => !href.startsWith('#')));
    expect([...outer].filter(isIcon)).toHaveLength(1);
    expect([...outer].filter((href) => !isIcon(href)).toSorted()).toEqual([
      'https://www.rfc-editor.org/rfc/rfc9457',
      'https://www.standardwebhooks.com',
      'openapi.json',
    ]);
  });

  it('shows every receiver byte for byte', () => {
    const folder = path.join(PROJECT, 'docs', 'receivers');
    const shown = readdirSync(folder).filter((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return html.includes(`<code>${codeHtml(text, 'any')}</code>`);
    });
    expect(shown).toEqual(readdirSync(folder));
  });

  it('has the address of this API in every example', () => {
    expect(html).toContain(`curl ${API_URL}/v1/payments \\`);
    expect(html).not.toContain('localhost');
  });

  it('has one style and one script, and none in an attribute', () => {
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/\sstyle="|\son\w+="/);
  });
});

/** Axe checks about ten thousand elements, on a machine that may be busy. */
const MEASURING_MS = 180_000;

const SIZES = [
  ['phone', { width: 360, height: 740 }],
  ['wide', { width: 1280, height: 900 }],
] as const;

const stand = await openStand('docs');
const api = closeAfterTests(await serveApi(stand.tenant, { ...stand, docsPage: html }));
const browser = closeAfterTests(await openBrowser());

/** Opens the page. `requested` collects its requests, and `complaints` its console messages. */
async function open(options: BrowserContextOptions, anchor = '') {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${api.url}/docs${anchor}`);
  return { page, requested, complaints };
}

describe('the page in a browser', () => {
  it.each(SIZES)(
    'has no fault that axe finds (%s)',
    async (_, viewport) => {
      const { page } = await open({ viewport });
      await openFolds(page);
      const everything = 'document, { rules: { "color-contrast": { enabled: false } } }';
      expect(await faultsOf(page, everything)).toEqual([]);
      await page.context().close();
    },
    MEASURING_MS,
  );

  it.each(['light', 'dark'] as const)(
    'has enough contrast (%s)',
    async (colorScheme) => {
      const { page } = await open({ viewport: { width: 1280, height: 900 }, colorScheme });
      await openFolds(page);
      // Measuring is slow, and the later entries of a chapter have the same colours.
      const some = '{ exclude: ".entry ~ .entry ~ .entry" }, { runOnly: ["color-contrast"] }';
      expect(await faultsOf(page, some)).toEqual([]);
      await page.context().close();
    },
    MEASURING_MS,
  );

  it('loads nothing from other servers, and violates no policy', async () => {
    const { page, requested, complaints } = await open({ viewport: { width: 1280, height: 900 } });
    await openFolds(page);
    expect(requested.filter((url) => !url.startsWith(`${api.url}/`))).toEqual([]);
    expect(complaints).toEqual([]);
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.method')).color");
    expect(colour).toBe('rgb(31, 79, 209)');
    await page.context().close();
  });

  it.each(SIZES)('never scrolls sideways (%s)', async (_, viewport) => {
    const { page } = await open({ viewport });
    await openFolds(page);
    const root = 'document.documentElement';
    const widths = await page.evaluate(`[${root}.scrollWidth, ${root}.clientWidth]`);
    expect(widths).toEqual([viewport.width, viewport.width]);
    await page.context().close();
  });

  it('links to the OpenAPI document', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    const response = page.waitForResponse(`${api.url}/openapi.json`);
    await page.getByRole('link', { name: 'OpenAPI' }).click();
    expect((await response).status()).toBe(200);
    await page.context().close();
  });

  it('opens and closes the contents on a phone', async () => {
    const viewport = { width: 360, height: 740 };
    const { page } = await open({ viewport, javaScriptEnabled: false, hasTouch: true });
    const contents = page.locator('#contents');
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Contents' }).tap();
    await contents.getByRole('link', { name: 'All errors' }).tap();
    expect(await contents.isVisible()).toBe(false);
    expect(await page.locator('#errors').isVisible()).toBe(true);
    await page.context().close();
  });

  it('lets a keyboard skip the contents', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :focus').count()).toBe(1);
    await page.context().close();
  });

  it('shows the error of a `doc_url` below the bar', async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } }, '#refund_too_large');
    const box = await page.locator('#refund_too_large').boundingBox();
    expect(box?.y).toBeGreaterThan(40);
    expect(box?.y).toBeLessThan(740);
    expect(await page.locator(':target').getAttribute('id')).toBe('refund_too_large');
    await page.context().close();
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

/** Opens all folded parts, so that they are checked too. */
async function openFolds(page: Page): Promise<void> {
  await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
}
