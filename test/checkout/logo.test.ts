import { describe, expect, it } from 'vitest';
import { setLogo } from '../../operations/logo.ts';
import { mintId } from '../../store/mint.ts';
import { ACTOR } from '../support/audit.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePng } from '../support/pictures.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { openBench } from './harness.ts';

const bench = closeAfterTests(await openBench('checkout_logo'));
const { mongo } = bench;
const PICTURE = makePng({ width: 600, height: 100 });

/** Stores a merchant. Returns its id. */
async function addMerchant(name: string): Promise<string> {
  const _id = mintId('merchant');
  await mongo.merchants.insertOne({ _id, name, locale: 'en', created_at: new Date() });
  return _id;
}

async function show(merchant_id: string): Promise<string> {
  const payment = await bench.put(makePayment({ merchant_id }));
  return (await bench.call(`/c/${payment.checkout_token}`)).text;
}

describe('the logo on the checkout page', () => {
  it('has its size, and the name of the merchant in place of the picture', async () => {
    const merchant = await addMerchant('Tea & "cake"');
    await setLogo({ mongo, actor: ACTOR }, { merchant, file: PICTURE });
    const [image = ''] = /<img [^>]*>/.exec(await show(merchant)) ?? [];
    expect(image).toMatch(/ src="\/logos\/[\da-f]{64}"/);
    expect(image).toContain(' width="192" height="32" alt="Tea &amp; &quot;cake&quot;"');
  });

  it('is missing if the merchant has none', async () => {
    expect(await show(await addMerchant('Tea'))).not.toContain('<img');
  });

  it('is not on the pages of the bank, which is another company', async () => {
    const merchant_id = await addMerchant('Tea');
    await setLogo({ mongo, actor: ACTOR }, { merchant: merchant_id, file: PICTURE });
    const payment = await bench.put(
      makePayment({ merchant_id, status: 'processing', attempts: [makeAttempt()] }),
    );
    const { text } = await bench.call(bench.bankPath(payment));
    expect(text).toContain('id="bank-form"');
    expect(text).not.toContain('<img');
  });
});

describe('GET /logos/:id', () => {
  it('sends the picture, which browsers may keep but not take for anything else', async () => {
    const merchant = await addMerchant('Tea');
    await setLogo({ mongo, actor: ACTOR }, { merchant, file: PICTURE });
    const [, src = ''] = /src="(\/logos\/[^"]+)"/.exec(await show(merchant)) ?? [];
    const response = await fetch(bench.origin + src);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(PICTURE.length),
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each(['0'.repeat(64), 'x', '..%2fassets%2ficon.svg', '0'.repeat(63)])(
    'has the page of every unknown address for %s',
    async (id) => {
      const [missing, other] = await Promise.all([
        bench.call(`/logos/${id}`),
        bench.call('/logos'),
      ]);
      expect(missing.status).toBe(404);
      expect(missing.text).toBe(other.text);
      expect(missing.headers.get('cache-control')).toBe('no-store');
    },
  );
});
