/** Reads of the same moment are one query, and each sees what was written before it. */
import { describe, expect, it } from 'vitest';
import { insertPayment, paymentById } from '../../store/payments.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { makePayment } from '../support/rows/payment.ts';

const commands: string[] = [];
const mongo = closeAfterTests(
  await openDatabase('together', { monitor: (command) => commands.push(command) }),
);

describe('reads of payments by their ids', () => {
  it('share one query with those of the same moment', async () => {
    const payments = Array.from({ length: 20 }, () => makePayment());
    for (const payment of payments) await insertPayment(mongo, payment);
    commands.length = 0;
    const ids = [...payments.map(({ _id }) => _id), 'pay_unknown'];
    const found = await Promise.all(ids.map(async (id) => paymentById(mongo, id)));
    expect(found).toEqual([...payments, null]);
    expect(commands).toEqual(['find']);
  });

  it('see what is written while an earlier query runs', async () => {
    const payment = makePayment();
    const before = paymentById(mongo, payment._id);
    await insertPayment(mongo, payment);
    expect(await paymentById(mongo, payment._id)).toEqual(payment);
    expect([null, payment]).toContainEqual(await before);
  });
});
