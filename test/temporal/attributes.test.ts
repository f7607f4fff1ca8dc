import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLog } from '../../log.ts';
import { lazyConnection, makeTemporal } from '../../temporal/client.ts';
import type { Temporal } from '../../temporal/client.ts';
import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { paymentSummary, refundSummary } from '../../temporal/attributes.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { privateName, testServers } from '../support/run.ts';
import { NAMESPACE } from '../support/worker.ts';

let connection: Connection;
let temporal: Temporal;
const idPrefix = `${privateName('attributes')}-`;

beforeAll(async () => {
  connection = lazyConnection({ address: testServers().temporalAddress });
  const names = { namespace: NAMESPACE, idPrefix, queueSuffix: `-${idPrefix}` };
  const log = makeLog('test', 'silent');
  temporal = makeTemporal({ connection, ...names, webhookTimeoutMs: 1_000, log });
  await temporal.prepare();
});
afterAll(async () => {
  await connection.close();
});

/** Returns everything that Temporal shows of the payment's workflow. */
async function shown(orderId: string): Promise<{ attributes: object; text: string }> {
  const payment = makePayment({ order_id: orderId });
  await temporal.startPayment(payment);
  const client = new Client({ connection, namespace: NAMESPACE });
  const handle = client.workflow.getHandle(idPrefix + payment._id);
  const { searchAttributes: attributes } = await handle.describe();
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({
    namespace: NAMESPACE,
    execution: { workflowId: handle.workflowId },
  });
  const payloads = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array || Buffer.isBuffer(value) ? Buffer.from(value).toString() : value,
  );
  return { attributes, text: JSON.stringify(attributes) + payloads };
}

it.each(['4242424242424242', 'order 4242-4242-4242-4242'])(
  'Temporal does not get the order id %s, which may be a card number',
  async (orderId) => {
    const { attributes, text } = await shown(orderId);
    expect(attributes).toHaveProperty('MerchantId');
    expect(attributes).not.toHaveProperty('OrderId');
    expect(text.replaceAll(/[^0-9]/g, '')).not.toContain('4242424242424242');
  },
);

it.each([
  ['order-1042', '12,500 AMD · order-1042'],
  [null, '12,500 AMD'],
  ['4242424242424242', '12,500 AMD'],
  ['[here](https://shop.example)', '12,500 AMD'],
  ['www.shop.example', '12,500 AMD'],
])('the summary of an order %s is %s', (order_id, summary) => {
  expect(paymentSummary(makePayment({ order_id }))).toBe(summary);
});

it('the summary of a refund names its payment', () => {
  const refund = makeRefund({ amount: 250_050, currency: 'USD', payment_id: 'pay_1' });
  expect(refundSummary(refund)).toBe('Refund of 2,500.50 USD · pay_1');
});

it('Temporal finds payments by other order ids', async () => {
  const { attributes, text } = await shown('order-1001');
  expect(attributes).toMatchObject({ OrderId: ['order-1001'] });
  expect(text).toContain('order-1001');
});
