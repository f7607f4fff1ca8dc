/** The whole way of a customer in a real browser: shop, checkout, bank, and back. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { PublicPayment } from '../../domain/wire.ts';
import { openBrowser } from '../support/browser.ts';
import { inTime } from './intime.ts';
import { openStage } from '../support/servers/processes.ts';
import { openShop } from './shop.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

/** A page that needs longer than this to show what it should is broken. */
const PAGE_LIMIT_MS = 15_000;
/** After so long the bank answers who waits for it. */
const BANK_MS = 5_000;

let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What pages complained of: scripts that failed, and what the security policy refused. */
let complaints: string[] = [];

const stage = forFile(await openStage({ file: 'journey' }));
[browser] = await Promise.all([openBrowser(), stage.start()]);
const shop = await openShop(stage);

afterAll(async () => {
  await browser?.close();
});

async function openPage(javaScriptEnabled: boolean): Promise<void> {
  context = await browser.newContext({ javaScriptEnabled });
  context.setDefaultTimeout(PAGE_LIMIT_MS);
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
}

beforeEach(async () => openPage(true));

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const see = async (view: string) => page.waitForSelector(`[data-view="${view}"]`);

/** Presses the first Buy button; answers the order's id. */
async function buy(): Promise<string> {
  await page.goto(shop.url);
  await page.locator('form button').first().click();
  await see('form');
  return (await page.textContent('#order')) ?? '';
}

async function fillCard(number = '4242 4242 4242 4242'): Promise<void> {
  await page.fill('#card_number', number);
  await page.fill('#expiry', '12/34');
  await page.fill('#cvc', '123');
}

async function enterCard(number?: string): Promise<void> {
  await fillCard(number);
  await page.click('#pay');
  await see('bank');
}

async function choose(outcome: string): Promise<void> {
  await page.check(`#outcome-${outcome}`);
  await page.click('#decide');
}

/** The payment of an order, as the merchant's side retrieves it. */
async function paymentOf(order: string): Promise<PublicPayment> {
  const { body } = await until(
    async () => shop.merchant.call('GET', `/v1/payments?order_id=${order}`),
    ({ status }) => status !== 503,
  );
  const { data } = body as { data: PublicPayment[] };
  expect(data).toHaveLength(1);
  return shop.merchant.retrieve(data[0]!.id);
}

async function typesOf(order: string): Promise<string[]> {
  return (await shop.merchant.events((await paymentOf(order)).id)).map(({ type }) => type);
}

describe('a customer', () => {
  it('buys and pays, and the open order turns paid by the webhook alone', async () => {
    const order = await buy();
    const watching = await context.newPage();
    await watching.goto(`${shop.url}/orders/${order}`);
    await watching.waitForSelector('.badge.open');
    await enterCard();
    await choose('approve');
    await see('completed');
    await watching.waitForSelector('.badge.paid');
    expect(await watching.textContent('.steps')).toMatch(/heard by webhook evt_/);
    expect(await paymentOf(order)).toMatchObject({ status: 'completed', amount: 12_500 });
    await page.click('#return');
    await page.waitForSelector('.badge.paid');
    expect(page.url()).toContain(`/orders/${order}?payment=pay_`);
  });

  it('is taken back to the shop after a few seconds without a click', async () => {
    const order = await buy();
    await enterCard();
    await choose('approve');
    await see('completed');
    await page.waitForURL(`${shop.url}/orders/${order}?payment=*`);
    await page.waitForSelector('.badge.paid');
  });

  it('finds the finished page behind the back button, which changes nothing', async () => {
    const order = await buy();
    await enterCard();
    await choose('approve');
    await see('completed');
    const before = await paymentOf(order);
    await page.goBack();
    await see('completed');
    await page.goto(`${before.checkout_url}/cancel`);
    await see('completed');
    expect(await paymentOf(order)).toEqual(before);
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  it('is declined, reads why, and pays with another card', async () => {
    const order = await buy();
    await enterCard('4000 0000 0000 9995');
    expect(await page.isChecked('#outcome-insufficient_funds')).toBe(true);
    await page.click('#decide');
    await page.waitForSelector('#declined');
    expect(await page.locator('#attempts-left').count()).toBe(1);
    await enterCard();
    await choose('approve');
    await see('completed');
    expect(await typesOf(order)).toEqual(['payment.attempt_failed', 'payment.completed']);
  });

  it('types a wrong and then the right 3-D Secure code', async () => {
    const order = await buy();
    for (const [code, next] of [
      ['000000', 'form'],
      ['123456', 'completed'],
    ] as const) {
      await enterCard('4000 0025 0000 3155');
      await page.click('#decide');
      await see('code');
      await page.fill('#code', code);
      await page.click('#confirm');
      await see(next);
    }
    expect(await typesOf(order)).toEqual(['payment.attempt_failed', 'payment.completed']);
  });

  it('turns back at the bank and pays then, with one attempt', async () => {
    const order = await buy();
    await enterCard();
    await choose('turn_back');
    await page.waitForSelector('#turned-back');
    await enterCard();
    await choose('approve');
    await see('completed');
    expect(await paymentOf(order)).toMatchObject({ status: 'completed', attempts_count: 1 });
  });

  it('cancels, and the order is canceled', async () => {
    const order = await buy();
    await page.click('#cancel');
    await page.click('#cancel-yes');
    await see('canceled');
    expect((await paymentOf(order)).cancellation?.by).toBe('customer');
    await page.click('#return');
    await page.waitForSelector('.badge.canceled');
    expect(await typesOf(order)).toEqual(['payment.canceled']);
  });

  it.each([
    ['hy', 'Վճարում քարտով', 'Վճարումը կատարված է'],
    ['en', 'Pay by card', 'Payment completed'],
    ['ru', 'Оплата картой', 'Платёж выполнен'],
  ])('chooses the language %s and keeps it to the end', async (lang, form, completed) => {
    await buy();
    await page.click(`.languages a[lang="${lang}"]`);
    await page.waitForSelector(`html[lang="${lang}"]`);
    expect(await page.textContent('h1')).toBe(form);
    await enterCard();
    await choose('approve');
    await see('completed');
    expect(await page.textContent('h1')).toBe(completed);
    expect(await page.getAttribute('html', 'lang')).toBe(lang);
  });

  it('presses every button twice and pays once', async () => {
    const order = await buy();
    await fillCard();
    await page.dblclick('#pay');
    await see('bank');
    await page.check('#outcome-approve');
    await page.dblclick('#decide');
    await see('completed');
    expect(await paymentOf(order)).toMatchObject({ status: 'completed', attempts_count: 1 });
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  it('reloads the waiting page, which turns by itself once the bank has answered', async () => {
    let order = '';
    await inTime(BANK_MS, async () => {
      order = await buy();
      await enterCard();
      return async () => {
        await choose('approve_after_5s');
        await see('waiting');
        await page.reload();
        await see('waiting');
        expect((await paymentOf(order)).status).toBe('processing');
      };
    });
    await see('completed');
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  it('needs no script for any of it', async () => {
    await context.close();
    await openPage(false);
    const order = await buy();
    await enterCard('4000 0000 0000 0002');
    await page.click('#decide');
    await see('form');
    await enterCard();
    await choose('approve_after_5s');
    await see('completed');
    await page.waitForURL(`${shop.url}/orders/${order}?payment=*`);
    await page.waitForSelector('.badge.paid');
    const types = async () => typesOf(order);
    expect(await until(types, ({ length }) => length === 2)).toContain('payment.completed');
  });
});
