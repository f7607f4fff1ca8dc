/**
 * Tests of a checkout with Playwright. Run: `npm install playwright-core`, then this file.
 * It pays nothing: the key is a test key, and the bank is Tollgate's sandbox bank.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

// SHOP_URL is the page of your shop to which a paid customer returns. Without CHROMIUM_PATH,
// Playwright uses the browser of `npx playwright-core install chromium`.
const { TOLLGATE_API_URL, TOLLGATE_API_KEY, SHOP_URL, CHROMIUM_PATH } = process.env;
const PATIENCE_MS = 60_000;

async function call(path, body) {
  const response = await fetch(TOLLGATE_API_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${TOLLGATE_API_KEY}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${path} returned ${response.status}`);
  return response.json();
}

const statusOf = async ({ id }) => (await call(`/v1/payments/${id}`)).status;

let browser;
before(async () => {
  browser = await chromium.launch(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {});
});
after(async () => browser.close());

/** Tests a customer who has just opened the checkout. In your tests, buy in your shop instead. */
function customer(rule, act) {
  test(`a customer ${rule}`, async () => {
    const order = { amount: 12500, currency: 'AMD', return_url: SHOP_URL };
    const payment = await call('/v1/payments', order);
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(payment.checkout_url);
    await act(page, payment);
    await page.context().close();
  });
}

async function enterCard(page, number) {
  await page.fill('[name="card_number"]', number);
  await page.fill('[name="expiry"]', '12/34');
  await page.fill('[name="cvc"]', '123');
  await page.click('#pay');
  await page.waitForSelector('[data-view="bank"]');
}

/** Chooses how the sandbox bank responds. */
async function choose(page, outcome) {
  await page.check(`#outcome-${outcome}`);
  await page.click('#decide');
}

customer('pays, and returns to the shop', async (page, payment) => {
  await enterCard(page, '4242 4242 4242 4242');
  await page.click('#quick-approve');
  await page.click('#return');
  await page.waitForURL((url) => url.href.startsWith(SHOP_URL));
  assert.equal(await statusOf(payment), 'completed');
});

customer('is declined, and pays with another card', async (page, payment) => {
  await enterCard(page, '4000 0000 0000 9995');
  // The card has chosen `insufficient_funds`.
  await page.click('#decide');
  await page.waitForSelector('#declined');
  assert.equal(await statusOf(payment), 'created');
  await enterCard(page, '5555 5555 5555 4444');
  await choose(page, 'approve');
  await page.waitForSelector('[data-view="completed"]');
});

customer('confirms with the code of 3-D Secure', async (page, payment) => {
  await enterCard(page, '4000 0025 0000 3155');
  await page.click('#decide');
  await page.fill('[name="code"]', '123456');
  await page.click('#confirm');
  await page.waitForSelector('[data-view="completed"]');
  assert.equal(await statusOf(payment), 'completed');
});

customer('turns back at the bank', async (page, payment) => {
  await enterCard(page, '4242 4242 4242 4242');
  await page.click('#turn-back');
  await page.waitForSelector('[data-view="form"]');
  assert.equal(await statusOf(payment), 'created');
});

customer('waits for a slow bank', async (page, payment) => {
  await enterCard(page, '4242 4242 4242 4242');
  await choose(page, 'approve_after_30s');
  await page.waitForSelector('[data-view="waiting"]');
  // Without this call, the answer comes after 30 s.
  await call(`/v1/test/payments/${payment.id}/advance`, { to: 'bank_answer' });
  await page.waitForSelector('[data-view="completed"]');
});
