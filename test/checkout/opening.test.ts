import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, openBench } from './harness.ts';

const bench = closeAfterTests(await openBench('opening'));
const pathOf = ({ checkout_token }: { checkout_token: string }) => `/c/${checkout_token}`;
const updates = { count: 0 };
const { payments } = bench.mongo;
const updateOne = payments.updateOne.bind(payments);
const fault: { error?: Error } = {};
payments.updateOne = async (...args: Parameters<typeof updateOne>) => {
  updates.count += 1;
  if (fault.error) throw fault.error;
  return updateOne(...args);
};
afterEach(() => {
  updates.count = 0;
});

describe('GET /c/:token', () => {
  it('records the first opening once, with one write, and reloads write nothing', async () => {
    const payment = await bench.put(makePayment());
    const before = Date.now();
    await bench.call(pathOf(payment));
    const opened = await bench.read(payment);
    expect(opened).toEqual({ ...payment, checkout_opened_at: expect.any(Date) });
    expect(opened.checkout_opened_at!.getTime()).toBeGreaterThanOrEqual(before);
    for (let n = 0; n < 3; n += 1) await bench.call(pathOf(payment));
    expect(updates.count).toBe(1);
    expect(await bench.read(payment)).toEqual(opened);
  });

  it('records one opening of many at once', async () => {
    const payment = await bench.put(makePayment());
    const pages = await Promise.all(
      Array.from({ length: 10 }, async () => bench.call(pathOf(payment))),
    );
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const { checkout_opened_at: first } = await bench.read(payment);
    await bench.call(pathOf(payment));
    expect((await bench.read(payment)).checkout_opened_at).toEqual(first);
  });

  it('does not count a link preview by HEAD, a refused card, or a payment that is over', async () => {
    const payment = await bench.put(makePayment());
    await bench.call(pathOf(payment), { method: 'HEAD' });
    await bench.post(`${pathOf(payment)}/pay`, { ...CARD, cvc: '' });
    const over = await bench.put(makePayment({ status: 'completed' }));
    await bench.call(pathOf(over));
    expect(updates.count).toBe(0);
    expect(await bench.read(payment)).toEqual(payment);
  });

  it('shows the page even if the opening cannot be recorded', async () => {
    const payment = await bench.put(makePayment());
    fault.error = new Error('No.');
    const page = await bench.call(pathOf(payment));
    delete fault.error;
    expect(page.text).toContain('data-view="form"');
    const logged = () => bench.lines.filter((line) => line.includes('was not recorded'));
    expect(await until(logged, ({ length }) => length > 0)).toHaveLength(1);
  });
});
