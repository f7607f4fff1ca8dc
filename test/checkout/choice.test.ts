/** The customer's choice between the methods of payment. */
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeAttempt, makePayment, makeTransfer } from '../support/rows/payment.ts';
import { CARD, openBench } from './harness.ts';

const BY_TRANSFER = '?method=bank_transfer';

const bench = closeAfterTests(await openBench('choice'));

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;
const page = async (payment: Payment, tail = '') => (await bench.call(path(payment, tail))).text;
const hrefOf = (text: string, id: string) =>
  new RegExp(`<a [^>]*href="([^"]*)"[^>]* id="${id}"`).exec(text)?.[1]?.replaceAll('&amp;', '&');
const actionOf = (text: string) => /<form method="post" action="([^"]*)"/.exec(text)?.[1];

describe('the choice of a method', () => {
  it('begins with the card, whose form and address are those of earlier versions', async () => {
    const payment = await bench.put(makePayment());
    const text = await page(payment);
    expect(text).toMatch(/id="method-card" aria-current="true"/);
    expect(text).toContain('id="card-form"');
    expect(actionOf(text)).toBe(path(payment, '/pay'));
    expect(text).not.toContain('id="transfer-form"');
  });

  it('is a link that needs no script, and its form has the choice in its address', async () => {
    const payment = await bench.put(makePayment());
    const href = hrefOf(await page(payment), 'method-bank_transfer')!;
    const { text } = await bench.call(href);
    expect(text).toMatch(/id="method-bank_transfer" aria-current="true"/);
    expect(actionOf(text)).toBe(path(payment, `/pay${BY_TRANSFER}`));
    expect(text).not.toContain('id="card-form"');
    expect((await bench.call(hrefOf(text, 'method-card')!)).text).toContain('id="card-form"');
  });

  it.each(LOCALES)('stays when the customer switches to %s', async (lang) => {
    const payment = await bench.put(makePayment());
    const before = await page(payment, BY_TRANSFER);
    const link = new RegExp(`href="([^"]*)" lang="${lang}"`).exec(before)![1]!;
    const { text } = await bench.call(link.replaceAll('&amp;', '&'));
    expect(text).toContain(`<html lang="${lang}"`);
    expect(actionOf(text)).toBe(path(payment, `/pay${BY_TRANSFER}&amp;lang=${lang}`));
    expect(hrefOf(text, 'method-card')).toBe(path(payment, `?method=card&lang=${lang}`));
  });

  it('is not offered if there is one method only', async () => {
    const payment = await bench.put(makePayment({ livemode: true }));
    for (const tail of ['', BY_TRANSFER]) {
      const text = await page(payment, tail);
      expect(text).toContain('id="card-form"');
      expect(text).not.toContain('id="method"');
      expect(text).not.toContain('bank_transfer');
    }
    const refused = await bench.post(path(payment, `/pay${BY_TRANSFER}`));
    expect([refused.status, (await bench.read(payment)).status]).toEqual([422, 'created']);
  });

  it.each([
    '?method=bitcoin',
    '?method=',
    '?method=constructor',
    '?method=CARD',
    '?method=%00',
    '?method=card&method=bank_transfer',
    '?method[]=bank_transfer&method=',
  ])('refuses %s, and shows the form of the card', async (tail) => {
    const payment = await bench.put(makePayment());
    const before = await bench.bytes(payment);
    const { status, text } = await bench.post(path(payment, `/pay${tail}`), CARD);
    expect(status).toBe(422);
    expect(text).toContain('Choose one of the payment methods on this page.');
    expect(text).toContain('href="#method"');
    expect(text).toContain('id="card-form"');
    expect(await bench.bytes(payment)).toBe(before);
    expect(await page(payment, tail)).toContain('data-view="form"');
  });

  it('shows the method of a declined attempt again', async () => {
    const declined = { status: 'declined', failure_code: 'processing_error' } as const;
    const attempts = [makeAttempt(), makeTransfer(declined)];
    const text = await page(await bench.put(makePayment({ attempts })));
    expect(text).toContain('id="transfer-form"');
    expect(text).toContain('The bank could not accept the transfer and sent the money back.');
  });
});
