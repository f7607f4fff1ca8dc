import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { closeAfterTests } from '../../support/close.ts';
import { until } from '../../support/until.ts';
import { openPayments } from './ground.ts';

const ground = await openPayments('dashboard-live');
const chromium = closeAfterTests(await openBrowser());

/** Opens an address as a new user in Chromium. `paths` has the path of every request. */
async function open(path: string): Promise<{ page: Page; paths: string[] }> {
  const { cookies } = await ground.signIn('owner');
  const context = await chromium.newContext();
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: ground.url })));
  // A busy machine may take its time.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto(ground.url + path);
  return { page, paths };
}

/** Makes the page believe that its tab is hidden, or visible again. */
const hide = async (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, writable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

describe('a payment that is looked at', () => {
  it('updates by itself, keeps what is open and focused, and stops when it is final', async () => {
    const id = await ground.create();
    const { page, paths } = await open(`/payments/${id}`);
    const fetches = () => paths.filter((path) => path === `/payments/${id}`).length;
    await page.locator('#raw-summary').click();
    const copy = page.locator('#technical [data-copy]').last();
    await copy.focus();
    const copied = await copy.getAttribute('data-copy');
    await page.evaluate("document.querySelector('#live').mark = 'old'");
    await until(fetches, (count) => count > 2);
    expect(await page.evaluate("document.querySelector('#live').mark")).toBe('old');
    await ground.goToBank(id);
    await page.locator('.badge-processing').waitFor();
    expect(await page.locator('.said').textContent()).toBe(
      'Payment of 12,500\u00a0AMD: At the bank',
    );
    expect(await page.locator('#raw').getAttribute('open')).not.toBeNull();
    expect(await page.locator('#raw').textContent()).toContain('"status": "processing"');
    expect(await page.evaluate('document.activeElement.dataset.copy')).toBe(copied);
    // An error delays the next update, and loses nothing.
    await page.route(`**/payments/${id}`, async (route) => route.abort(), { times: 1 });
    await ground.decide(id, 'approve');
    await page.locator('.badge-completed').waitFor();
    expect(await page.locator('[data-live]').count()).toBe(0);
    const before = fetches();
    const other = await open(`/payments/${await ground.create()}`);
    await hide(other.page, true);
    const seen = other.paths.length;
    await page.waitForTimeout(3_000);
    expect(fetches()).toBe(before);
    expect(other.paths).toHaveLength(seen);
    await hide(other.page, false);
    await until(
      () => other.paths.length,
      (count) => count > seen,
    );
    await page.context().close();
    await other.page.context().close();
  });

  it('updates after a refused cancel, too', async () => {
    const id = await ground.create();
    const { page } = await open(`/payments/${id}`);
    await page.locator('#cancel-summary').click();
    await ground.goToBank(id);
    await page.locator('#cancel-button').click();
    await page.locator('#errors').waitFor();
    await ground.decide(id, 'approve');
    await page.locator('.badge-completed').waitFor();
    await page.context().close();
  });

  it('is not asked for any more once the session has ended', async () => {
    const id = await ground.create();
    const { page, paths } = await open(`/payments/${id}`);
    await ground.mongo.sessions.deleteMany({});
    await until(
      () => paths.filter((path) => path === '/sign-in').length,
      (count) => count > 0,
    );
    const before = paths.length;
    await page.waitForTimeout(3_000);
    expect(paths).toHaveLength(before);
    await page.context().close();
  });
});
