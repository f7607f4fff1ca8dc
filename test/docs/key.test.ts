/** The reader's own test key in the examples. It stays in the browser tab. */
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { makeKey } from '../../store/keys.ts';
import { openStand, serveApi } from '../api/harness.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeFiles } from './reference.ts';

const stand = await openStand('docs-key');
const api = closeAfterTests(await serveApi(stand.tenant, { ...stand, docs: makeFiles() }));
const browser = closeAfterTests(await openBrowser());
const keyOf = (mode: 'test' | 'live') => makeKey('mer_1', mode, new Date()).secret;

const examplesOf = async (page: Page): Promise<string> =>
  (await page.locator('pre code').allTextContents()).join('\n');

/** Opens the page in a new tab. `requested` collects its requests. */
async function open(context = browser.newContext()) {
  const page = await (await context).newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${api.url}/docs/quickstart`);
  return { page, requested };
}

describe('the field for the test key', () => {
  it('fills the key into every example, and takes it out again', async () => {
    const { page } = await open();
    const before = await examplesOf(page);
    const key = keyOf('test');
    await page.fill('#own-key', ` ${key} `);
    const filled = await examplesOf(page);
    expect(before).toContain('Bearer $KEY"');
    expect(filled).toBe(before.replaceAll('$KEY', key));
    await page.fill('#own-key', '');
    expect(await examplesOf(page)).toBe(before);
    await page.context().close();
  });

  it('keeps the key in this tab only, and sends it nowhere', async () => {
    const context = browser.newContext();
    const { page, requested } = await open(context);
    const key = keyOf('test');
    await page.fill('#own-key', key);
    await page.getByRole('link', { name: 'Idempotency' }).first().click();
    await page.waitForURL('**/idempotency');
    expect(await page.inputValue('#own-key')).toBe(key);
    expect(await examplesOf(page)).toContain(`Bearer ${key}"`);
    const other = await open(context);
    expect(await other.page.inputValue('#own-key')).toBe('');
    expect(await (await context).cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(requested).toEqual([`${api.url}/docs/quickstart`, `${api.url}/docs/idempotency`]);
    await (await context).close();
  });

  it.each([
    ['a live key', keyOf('live')],
    ['a part of a key', keyOf('test').slice(0, 20)],
    ['markup', '<img src=x onerror=alert(1)>'],
  ])('takes no %s', async (_, text) => {
    const { page } = await open();
    const before = await examplesOf(page);
    await page.fill('#own-key', text);
    expect(await examplesOf(page)).toBe(before);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await page.locator('#own-key:invalid').count()).toBe(1);
    await page.context().close();
  });

  it('is not shown without scripts', async () => {
    const { page } = await open(browser.newContext({ javaScriptEnabled: false }));
    expect(await page.isVisible('#own-key')).toBe(false);
    await page.context().close();
  });
});
