/** The server is killed between two steps; what it had begun comes to its end all the same. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findByKey } from '../../store/payments.ts';
import { findRefundByKey } from '../../store/refunds.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { chooseOutcome, enterCard, payAs } from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import { openStage } from '../support/processes.ts';
import type { Stage } from '../support/processes.ts';
import { openProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/worker.ts';

/** Beyond the sweep's interval and grace. */
const LIMIT_MS = 30_000;

let stage: Stage;
let temporal: Proxy;
let merchant: Merchant;

beforeAll(async () => {
  const [host = '', port] = testServers().temporalAddress.split(':');
  temporal = await openProxy({ host, port: Number(port) });
  stage = await openStage({ file: 'crash-server', server: { TEMPORAL_ADDRESS: temporal.address } });
  await stage.start();
  merchant = await stage.hire();
});

afterAll(async () => {
  await stage?.close();
  await temporal?.close();
});

async function typesAt(id: string, status: string): Promise<string[]> {
  await until(
    async () => (await merchant.retrieve(id)).status,
    (now) => now === status,
    LIMIT_MS,
  );
  return (await merchant.events(id)).map(({ type }) => type);
}

/** The dead server's last words to Temporal must not be heard after all. */
async function revive(): Promise<void> {
  temporal.cut();
  temporal.resume();
  await stage.server.start();
}

describe('a server that dies', () => {
  it('after the insert and before the start has made a payment that can be paid', async () => {
    temporal.pause();
    const cut = merchant.create('insert-1').catch(() => 'cut off');
    const m = tenantOf(merchant.id, 'test');
    const row = await until(async () => findByKey(stage.mongo, m, 'insert-1'), Boolean);
    await stage.server.kill();
    expect(await cut).toBe('cut off');
    await revive();

    const payment = await merchant.create('insert-1');
    expect(payment.id).toBe(row?._id);
    await payAs(payment, 'approve');
    expect(await typesAt(payment.id, 'completed')).toEqual(['payment.completed']);
  });

  it('before the start has made a payment that expires in time', async () => {
    temporal.pause();
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const cut = merchant.create('insert-2', { expires_at: expiresAt }).catch(() => 'cut off');
    const m = tenantOf(merchant.id, 'test');
    const row = await until(async () => findByKey(stage.mongo, m, 'insert-2'), Boolean);
    await stage.server.kill();
    expect(await cut).toBe('cut off');
    await revive();
    expect(await typesAt(row!._id, 'expired')).toEqual(['payment.expired']);
  });

  it("after the bank's decision and before the wake loses no approval", async () => {
    const payment = await merchant.create('wake-1');
    const bank = await enterCard(payment);
    temporal.pause();
    const cut = chooseOutcome(bank, 'approve').catch(() => 'cut off');
    await until(
      async () => stage.mongo.payments.findOne({ _id: payment.id }),
      (row) => row?.attempts[0]?.bank?.outcome === 'approve',
    );
    await stage.server.kill();
    expect(await cut).toBe('cut off');
    await revive();
    expect(await typesAt(payment.id, 'completed')).toEqual(['payment.completed']);
  });

  it('after the reservation and before the start has made a refund that is carried out', async () => {
    const payment = await merchant.create('refund-1');
    await merchant.outcome(payment.id, 'approve');
    const refund = { payment_id: payment.id, amount: 500 };
    temporal.pause();
    const cut = merchant.call('POST', '/v1/refunds', refund, 'refund-1').catch(() => 'cut off');
    const m = tenantOf(merchant.id, 'test');
    const row = await until(async () => findRefundByKey(stage.mongo, m, 'refund-1'), Boolean);
    await stage.server.kill();
    expect(await cut).toBe('cut off');
    await revive();

    const again = await merchant.call('POST', '/v1/refunds', refund, 'refund-1');
    expect(again).toMatchObject({ status: 201, body: { id: row?._id, status: 'pending' } });
    const after = await until(
      async () => merchant.retrieve(payment.id),
      ({ amount_refunded: amount }) => amount > 0,
      LIMIT_MS,
    );
    expect(after).toMatchObject({ amount_refunded: 500, amount_refundable: 12_000 });
    const types = (await merchant.events(payment.id)).map(({ type }) => type);
    expect(types.toSorted()).toEqual([
      'payment.completed',
      'payment.refunded',
      'refund.completed',
      'refund.created',
    ]);
  });
});

describe('Temporal that is away', () => {
  it('keeps nobody from refunding, and carries the refund out when it is back', async () => {
    const payment = await merchant.create('refund-2');
    await merchant.outcome(payment.id, 'approve');
    temporal.pause();
    const made = await merchant.call('POST', '/v1/refunds', { payment_id: payment.id });
    expect(made).toMatchObject({ status: 201, body: { status: 'pending', amount: 12_500 } });
    const { id } = made.body as { id: string };
    const over = await merchant.call('POST', '/v1/refunds', { payment_id: payment.id });
    expect(over.status).toBe(409);
    temporal.resume();
    await until(
      async () => (await merchant.call('GET', `/v1/refunds/${id}`)).body as { status: string },
      ({ status }) => status === 'completed',
      LIMIT_MS,
    );
    expect(await merchant.retrieve(payment.id)).toMatchObject({ amount_refunded: 12_500 });
  });
});
