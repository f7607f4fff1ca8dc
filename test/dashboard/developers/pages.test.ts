/** The developers' pages and the settings in a real browser: small, readable, and narrow enough. */
import { describe, expect, it } from 'vitest';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { makeRequestLog } from '../../../api/requestlog.ts';
import { LOCALES } from '../../../domain/merchant.ts';
import { mintId } from '../../../store/mint.ts';
import { openBrowser } from '../../support/browser.ts';
import { closeAfterTests } from '../../support/close.ts';
import { makeDelivery, makeEvent } from '../../support/rows/endpoint.ts';
import { makePayment } from '../../support/rows/payment.ts';
import { openGround } from '../harness.ts';

const MAX_PAGE_BYTES = 60 * 1_024;

const ground = await openGround('dashboard-developer-pages');
const browser = closeAfterTests(await openBrowser());
const { mongo, tenant: m, merchant } = ground;

const payment = makePayment({ m, merchant_id: merchant._id });
const event = makeEvent({ m, payment_id: payment._id });
const ids = { m, event_id: event._id, endpoint_id: mintId('endpoint') };
const request = mintId('request');
await mongo.payments.insertOne(payment);
await mongo.events.insertOne(event);
await mongo.deliveries.insertOne(makeDelivery(ids));
const requestLog = makeRequestLog({ mongo, log: { warn: () => undefined } });
for (let n = 0; n < 60; n += 1) {
  requestLog.note({
    _id: n === 0 ? request : mintId('request'),
    m,
    at: new Date(),
    method: 'POST',
    path: `/v1/test/payments/${payment._id}/advance`,
    status: 409,
    error: { code: 'payment_state_invalid', message: 'The payment waits for no webhook attempt.' },
    key_id: mintId('key'),
    duration_ms: 1_234,
    body: JSON.stringify({ description: 'a'.repeat(5_000) }),
    object_id: payment._id,
  });
}
await requestLog.flush();

const PATHS = [
  '/developers/requests',
  `/developers/requests/${request}`,
  '/developers/requests?id=x&status=5xx',
  '/developers/events',
  `/developers/events/${event._id}`,
  '/developers/payments',
  `/developers/payments/${payment._id}`,
  '/settings',
];

/** Opens a page of a signed-in owner, on a phone. */
async function open(locale: string, colorScheme: 'light' | 'dark' = 'light') {
  const { cookies, user } = await ground.signIn('owner');
  await mongo.users.updateOne({ _id: user._id }, { $set: { locale: locale as 'en' } });
  const viewport = { width: 360, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
  const kept = [...cookies].map(([name, value]) => ({ name, value, url: ground.url }));
  await context.addCookies(kept);
  return context.newPage();
}

/** Returns the faults that axe finds, each with one element. Fails if axe checked nothing. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const result = await page.evaluate(`axe.run().then(({ violations, passes }) => ({
    faults: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    seen: passes.length,
  }))`);
  const { faults, seen } = result as { faults: string[]; seen: number };
  expect(seen).toBeGreaterThan(0);
  return faults;
}

describe('the developers’ pages and the settings', () => {
  it.each(LOCALES)('can be used by everybody, on a phone, in %s', async (locale) => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(locale, scheme);
      for (const path of PATHS) {
        await page.goto(ground.url + path);
        const found = await faultsOf(page);
        expect([path, scheme, found]).toEqual([path, scheme, []]);
        const widest = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([path, widest]).toEqual([path, 360]);
        expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      }
      await page.context().close();
    }
  });

  it('load at most 60 KiB', async () => {
    const page = await open('hy');
    for (const path of PATHS) {
      const sizes: Promise<number>[] = [];
      page.on('response', (response) => {
        sizes.push(response.body().then((body) => body.length));
      });
      await page.goto(ground.url + path, { waitUntil: 'networkidle' });
      page.removeAllListeners('response');
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeGreaterThan(10_000);
      expect([path, Math.max(bytes, MAX_PAGE_BYTES)]).toEqual([path, MAX_PAGE_BYTES]);
    }
  });

  it('copy the exact bytes of an event', async () => {
    const page = await open('en');
    const { origin } = new URL(ground.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.goto(`${ground.url}/developers/events/${event._id}`);
    await page.click('summary');
    await page.click('details [data-copy]');
    await page.waitForSelector('details [data-done]');
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(event.body);
  });
});
