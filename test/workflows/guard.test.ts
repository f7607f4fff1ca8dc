/** Whatever a customer clicks, a payment's history stays small (DESIGN, section 7). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertPayment } from '../../store/payments.ts';
import { chooseAtBank, goToBank, stored, visitBank } from '../support/bank.ts';
import { makePayment } from '../support/payment.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import type { Ground } from '../support/worker.ts';
import { recordDecision } from '../../store/payments.ts';
import { sandboxDecision } from '../../domain/bank.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startWorkers('guard');
});
afterAll(async () => {
  await ground.close();
});

describe('x', () => {
  it('measures', async () => {
    const payment = makePayment();
    const { mongo, temporal } = ground;
    await insertPayment(mongo, payment);
    await temporal.startPayment(payment);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      for (let i = 0; i < 4; i += 1) await visitBank(mongo, payment._id);
      const opened = await goToBank(mongo, payment._id);
      for (let i = 0; i < 4; i += 1) {
        const id = `req_${attempt}_${i}`;
        await temporal.askPayment(payment, { kind: 'cancel', by: 'customer', request_id: id }, id);
      }
      await recordDecision(mongo, opened, sandboxDecision('card_declined', new Date()));
      await temporal.wakePayment(payment);
      await until(async () => stored(mongo, payment._id), (p) => p.status !== 'processing');
    }
    const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
    console.log(await handle.result());
    const { events } = await handle.fetchHistory();
    console.log(events?.length, events?.slice(0,40).map((e) => e.eventType).join(' '));
  });
});
