import { expect, describe, it } from 'vitest';
import { updateMerchant } from '../../operations/change-merchant.ts';
import { mintId } from '../../store/mint.ts';
import { ACTOR } from '../support/audit.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { openBench } from './harness.ts';

const bench = closeAfterTests(await openBench('checkout_colour'));
const { mongo } = bench;
const COLOUR = '#0a5c36';
const LINK =
  /<link rel="stylesheet" href="\/colours\/0a5c36\?v=[\w-]{64}" integrity="sha384-[^"]+"\/>/;

/** Stores a merchant, with its colour as the settings save it. Returns its id. */
async function addMerchant(colour?: string): Promise<string> {
  const merchant = mintId('merchant');
  const created_at = new Date();
  await mongo.merchants.insertOne({ _id: merchant, name: 'Tea', locale: 'en', created_at });
  if (colour) await updateMerchant({ mongo, actor: ACTOR }, { merchant, colour });
  return merchant;
}

describe('the colour of the checkout', () => {
  it('is that of the merchant, after the style sheets of all', async () => {
    const merchant_id = await addMerchant(COLOUR);
    const statuses = ['created', 'completed', 'failed', 'canceled', 'expired'] as const;
    for (const status of statuses) {
      const payment = await bench.put(makePayment({ merchant_id, status }));
      const { text } = await bench.call(`/c/${payment.checkout_token}`);
      const sheets = text.match(/<link rel="stylesheet"[^>]*>/g);
      expect(sheets, status).toHaveLength(2);
      expect(sheets?.at(-1), status).toMatch(LINK);
    }
  });

  it('is the default if the merchant has none', async () => {
    const payment = await bench.put(makePayment({ merchant_id: await addMerchant() }));
    expect((await bench.call(`/c/${payment.checkout_token}`)).text).not.toContain('/colours/');
  });

  it('is not on the pages of the bank, which is another company', async () => {
    const merchant_id = await addMerchant(COLOUR);
    const payment = await bench.put(
      makePayment({ merchant_id, status: 'processing', attempts: [makeAttempt()] }),
    );
    const { text } = await bench.call(bench.bankPath(payment));
    expect(text).toContain('id="bank-form"');
    expect(text).not.toContain('/colours/');
  });
});

describe('GET /colours/:colour', () => {
  it('sends the colour and a darker shade, which browsers may keep', async () => {
    const { text, headers } = await bench.call('/colours/0a5c36');
    expect(text).toBe(':root {\n  --accent: #0a5c36;\n  --accent-dark: #07472a;\n}\n');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/css; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(['ffe14d', 'ffffff', 'fff', '0a5c3', '0a5c361', '%230a5c36', '0a5c36;}', 'red', '../x'])(
    'has the page of every unknown address for %s',
    async (colour) => {
      const { status, headers } = await bench.call(`/colours/${colour}`);
      expect(status).toBe(404);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );
});
