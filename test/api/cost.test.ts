/** What requests cost: the commands that each sends to MongoDB (docs/benchmarks.md). */
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { PAYMENT, makeTenant, putPayment, recordingTemporal, serveApi } from './harness.ts';

const commands: string[] = [];
const mongo = closeAfterTests(
  await openDatabase('cost-api', { monitor: (command) => commands.push(command) }),
);
const tenant = await makeTenant(mongo);
const temporal = recordingTemporal(mongo);
const api = closeAfterTests(await serveApi(tenant, { mongo, temporal }));
const { _id: paid } = await putPayment({ mongo, tenant }, { status: 'completed' });
// The first request of an hour records the use of the key.
await api.send('GET', '/v1/payments');

/** Returns the commands of a request, which has to succeed. */
async function costOf(method: string, path: string, body?: object): Promise<string[]> {
  commands.length = 0;
  const sent = body ? { body, key: path } : {};
  const { status, text } = await api.send(method, path, sent);
  expect([200, 201], text).toContain(status);
  return [...commands];
}

describe('a request to', () => {
  it('create a payment reads the key and the merchant, and writes once', async () => {
    expect(await costOf('POST', '/v1/payments', PAYMENT)).toEqual(['find', 'find', 'insert']);
  });

  it('retrieve a payment reads the key and the payment', async () => {
    expect(await costOf('GET', `/v1/payments/${paid}`)).toEqual(['find', 'find']);
  });

  it.each(['/v1/payments', '/v1/refunds', '/v1/events', `/v1/payments?limit=1`])(
    'list %s reads the key and the page',
    async (path) => {
      expect(await costOf('GET', path)).toEqual(['find', 'find']);
    },
  );

  it('create a refund reads the key and the payment, and commits one transaction', async () => {
    const body = { payment_id: paid, amount: 100 };
    expect(await costOf('POST', '/v1/refunds', body)).toEqual(
      'find find find update insert find insert commitTransaction'.split(' '),
    );
  });

  it('decide a payment keeps its key, and writes the attempt with its decision', async () => {
    const { _id } = await putPayment({ mongo, tenant });
    const path = `/v1/test/payments/${_id}/outcome`;
    expect(await costOf('POST', path, { outcome: 'approve' })).toEqual([
      // The key, the payment and the request; the attempt.
      ...'find find find insert update'.split(' '),
      // The workflow.
      ...'find find update find insert commitTransaction'.split(' '),
      'find',
      'update',
    ]);
  });

  it('cancel a payment keeps its key, and settles it in one transaction', async () => {
    const { _id } = await putPayment({ mongo, tenant });
    expect(await costOf('POST', `/v1/payments/${_id}/cancel`, {})).toEqual([
      // The key, the payment and the request.
      ...'find find find insert'.split(' '),
      // The workflow.
      ...'find find update find insert commitTransaction find'.split(' '),
      'update',
    ]);
  });
});
