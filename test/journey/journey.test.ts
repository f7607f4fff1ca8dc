/** The whole journey of a customer in a real browser: shop, checkout, bank, and back. */
import { describe, expect, it } from 'vitest';
import type { PublicPayment } from '../../domain/wire.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { chooseOutcome, chooseTransfer, refreshCheckout } from '../support/customer.ts';
import { untilAccepted } from '../support/retry.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { openCustomer } from './customer.ts';
import type { Customer } from './customer.ts';
import { findPython, runExample } from './examples.ts';
import { openShop } from './shop.ts';

const deployment = closeAfterTests(await openDeployment({ file: 'journey' }));
const [browser] = await Promise.all([openBrowser().then(closeAfterTests), deployment.start()]);
const shop = await openShop(deployment);

/** Defines a test with a customer of its own, so that tests can run concurrently. */
const journey = it.extend<{ customer: Customer }>({
  // Vitest reads the names of the used fixtures from this pattern.
  // oxlint-disable-next-line no-empty-pattern
  customer: async ({}, use) => {
    const customer = await openCustomer(browser, shop.url);
    await use(customer);
    await customer.leave();
  },
});

/** Returns the payment of an order, as the API returns it. */
async function paymentOf(order: string): Promise<PublicPayment> {
  const { body } = await untilAccepted(async () =>
    shop.merchant.call('GET', `/v1/payments?order_id=${order}`),
  );
  const { data } = body as { data: PublicPayment[] };
  expect(data).toHaveLength(1);
  return shop.merchant.retrieve(data[0]!.id);
}

/** Returns the types of the events of an order's payment. */
async function typesOf(order: string): Promise<string[]> {
  return (await shop.merchant.events((await paymentOf(order)).id)).map(({ type }) => type);
}

// The examples send each request once. They run again if a busy machine responded with 503.
describe.concurrent('the example with', { retry: 2 }, () => {
  const python = findPython();

  it('Playwright passes', async () => {
    const output = await runExample(deployment, shop, [process.execPath, 'with-playwright.mjs']);
    expect(output).toMatch(/\bpass 5\b/);
  });

  it.skipIf(python === undefined)('Selenium passes', async () => {
    const output = await runExample(deployment, shop, [python ?? '', 'with_selenium.py']);
    expect(output).toMatch(/^Ran 3 tests in .*\n\nOK$/m);
  });
});

describe.concurrent('a customer', () => {
  journey(
    'buys and pays, and the webhook alone marks the open order as paid',
    async ({ customer }) => {
      const order = await customer.buy();
      const watching = await customer.context.newPage();
      await watching.goto(`${shop.url}/orders/${order}`);
      await watching.waitForSelector('.badge.open');
      await customer.enterCard();
      await customer.choose('approve');
      await customer.seeEnd('completed');
      await watching.waitForSelector('.badge.paid');
      expect(await watching.textContent('.steps')).toMatch(/reported by webhook evt_/);
      expect(await paymentOf(order)).toMatchObject({ status: 'completed', amount: 12_500 });
      await customer.returnToShop();
      await customer.page.waitForSelector('.badge.paid');
      expect(customer.page.url()).toContain(`/orders/${order}?payment=pay_`);
    },
  );

  journey('is taken back to the shop after a few seconds without a click', async ({ customer }) => {
    const order = await customer.buy();
    await customer.enterCard();
    await customer.choose('approve');
    await customer.seeEnd('completed');
    await customer.page.waitForURL(`${shop.url}/orders/${order}?payment=*`);
    await customer.page.waitForSelector('.badge.paid');
  });

  journey('goes back and finds the finished page, and changes nothing', async ({ customer }) => {
    const order = await customer.buy();
    await customer.enterCard();
    await customer.choose('approve');
    await customer.see('completed');
    const before = await paymentOf(order);
    await customer.page.goBack();
    await customer.see('completed');
    await customer.page.goto(`${before.checkout_url}/cancel`);
    await customer.see('completed');
    expect(await paymentOf(order)).toEqual(before);
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  journey('is declined, reads why, and pays with another card', async ({ customer }) => {
    const order = await customer.buy();
    await customer.enterCard('4000 0000 0000 9995');
    expect(await customer.page.isChecked('#outcome-insufficient_funds')).toBe(true);
    await customer.page.click('#decide');
    await customer.page.waitForSelector('#declined');
    expect(await customer.page.textContent('#decline-reason')).toContain('Փորձեք մեկ այլ քարտով։');
    await customer.enterCard();
    await customer.choose('approve');
    await customer.seeEnd('completed');
    expect(await typesOf(order)).toEqual(['payment.attempt_failed', 'payment.completed']);
  });

  journey('types a wrong and then the right 3-D Secure code', async ({ customer }) => {
    const order = await customer.buy();
    await customer.enterCard('4000 0025 0000 3155');
    await customer.page.click('#decide');
    await customer.see('code');
    await customer.page.fill('#code', '000000');
    await customer.page.click('#confirm');
    await customer.page.waitForSelector('#code-error');
    await customer.page.fill('#code', '123456');
    await customer.page.click('#confirm');
    await customer.seeEnd('completed');
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  journey('turns back at the bank, and then pays with one attempt', async ({ customer }) => {
    const order = await customer.buy();
    await customer.enterCard();
    await customer.choose('turn_back');
    await customer.page.waitForSelector('#turned-back');
    await customer.enterCard();
    await customer.choose('approve');
    await customer.seeEnd('completed');
    expect(await paymentOf(order)).toMatchObject({ status: 'completed', attempts_count: 1 });
  });

  journey('cancels, and the order is canceled', async ({ customer }) => {
    const order = await customer.buy();
    await customer.page.click('#cancel');
    await customer.page.click('#cancel-yes');
    await customer.seeEnd('canceled');
    expect((await paymentOf(order)).cancellation?.by).toBe('customer');
    await customer.returnToShop();
    await customer.page.waitForSelector('.badge.canceled');
    expect(await typesOf(order)).toEqual(['payment.canceled']);
  });

  journey.for([
    ['hy', 'Վճարում քարտով', 'Վճարումը կատարված է'],
    ['en', 'Pay by card', 'Payment completed'],
    ['ru', 'Оплата картой', 'Платёж выполнен'],
  ])(
    'chooses the language %s and keeps it to the end',
    async ([lang, form, completed], { customer }) => {
      await customer.buy();
      await customer.page.click(`.languages a[lang="${lang}"]`);
      await customer.page.waitForSelector(`html[lang="${lang}"]`);
      expect(await customer.page.textContent('h1')).toBe(form);
      await customer.enterCard();
      await customer.choose('approve');
      await customer.see('completed');
      expect(await customer.page.textContent('h1')).toBe(completed);
      expect(await customer.page.getAttribute('html', 'lang')).toBe(lang);
    },
  );

  journey('presses every button twice and pays once', async ({ customer }) => {
    const order = await customer.buy();
    await customer.fillCard();
    await customer.page.dblclick('#pay');
    await customer.see('bank');
    await customer.page.check('#outcome-approve');
    await customer.page.dblclick('#decide');
    await customer.seeEnd('completed');
    expect(await paymentOf(order)).toMatchObject({ status: 'completed', attempts_count: 1 });
    expect(await typesOf(order)).toEqual(['payment.completed']);
  });

  journey(
    'reloads the waiting page, which continues when the bank has decided',
    async ({ customer }) => {
      const order = await customer.buy();
      await customer.enterCard();
      // Long enough for the page to load twice, even on a busy machine.
      await customer.choose('approve_after_30s');
      await customer.see('waiting');
      await customer.page.reload();
      await customer.see('waiting');
      expect((await paymentOf(order)).status).toBe('processing');
      await customer.seeEnd('completed');
      expect(await typesOf(order)).toEqual(['payment.completed']);
    },
  );

  it('pays by a bank transfer that arrives later, and gets the money back', async () => {
    const { merchant } = shop;
    const payment = await merchant.create('transfer-1');
    await chooseOutcome(await chooseTransfer(payment), 'approve_after_5s');
    expect(await refreshCheckout(payment)).toBe('waiting');
    const read = async () => merchant.retrieve(payment.id);
    const paid = await until(read, ({ status }) => status === 'completed');
    const { payment_method: method } = paid;
    expect(method).toMatchObject({ type: 'bank_transfer' });
    const [event] = await merchant.events(payment.id);
    expect([event!.type, event!.data.object]).toEqual(['payment.completed', paid]);
    const body = { payment_id: payment.id };
    expect((await merchant.call('POST', '/v1/refunds', body)).status).toBe(201);
    const refunded = await until(read, (found) => found.amount_refunded === 12_500);
    expect(refunded.payment_method).toEqual(method);
  });

  it('pays without JavaScript', async () => {
    const customer = await openCustomer(browser, shop.url, false);
    const order = await customer.buy();
    await customer.enterCard('4000 0000 0000 0002');
    await customer.page.click('#decide');
    await customer.see('form');
    await customer.enterCard();
    await customer.choose('approve_after_5s');
    await customer.seeEnd('completed');
    await customer.page.waitForURL(`${shop.url}/orders/${order}?payment=*`);
    await customer.page.waitForSelector('.badge.paid');
    const types = async () => typesOf(order);
    expect(await until(types, ({ length }) => length === 2)).toContain('payment.completed');
    await customer.leave();
  });
});
