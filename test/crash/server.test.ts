/** The server is killed between two steps. Everything it has started is still finished. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paymentByKey } from '../../store/payments.ts';
import { refundByKey } from '../../store/refunds.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { chooseOutcome, enterCard, payWithOutcome } from '../support/customer.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { openProxy } from '../support/servers/proxy.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/run.ts';
import { closeAfterTests } from '../support/close.ts';

/** Much longer than the sweep's interval and grace. */
const LIMIT_MS = 120_000;
/** The server responds a second after it has written the row. A slow test may miss that second. */
const MAX_TRIES = 5;
const TEST_LIMIT_MS = 480_000;

/** Long enough to be accepted by a busy server. */
const LIFETIME_MS = 15_000;

const [host = '', port] = testServers().temporalAddress.split(':');
const temporal = closeAfterTests(await openProxy({ host, port: Number(port) }));
const deployment = closeAfterTests(
  await openDeployment({ file: 'crash-server', server: { TEMPORAL_ADDRESS: temporal.address } }),
);
await deployment.start();
const merchant = await deployment.createMerchant();

const tenant = tenantOf(merchant.id, 'test');

/** Waits for the status. Returns the types of the payment's events. */
async function typesAt(id: string, status: string): Promise<string[]> {
  await until(
    async () => (await merchant.retrieve(id)).status,
    (now) => now === status,
    LIMIT_MS,
  );
  return (await merchant.events(id)).map(({ type }) => type);
}

/** A request during which the server is killed. */
interface Step<Row> {
  readonly send: () => Promise<unknown>;
  /** Finds the row that the server writes before it calls Temporal, which does not respond. */
  readonly find: () => Promise<Row | null>;
}

/** Kills the server between its row and its response, and restarts it. Returns key and row. */
async function killAfterRow<Row>(make: (key: string) => Step<Row> | Promise<Step<Row>>) {
  const name = randomUUID();
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const key = `${name}-${tries}`;
    const { send, find } = await make(key);
    temporal.pause();
    const result = send().then(
      () => 'response',
      () => 'no response',
    );
    const row = await until(find, (found) => found !== null);
    await deployment.server.kill();
    const received = await result;
    // The last messages of the dead server must not reach Temporal.
    temporal.cut();
    temporal.resume();
    await deployment.server.start();
    if (received === 'no response') return { key, row: row! };
  }
  throw new Error(`The server responded ${MAX_TRIES} times before it was killed.`);
}

describe('a server that is killed', () => {
  it(
    'between the insert and the start of the workflow leaves a payment that can be paid',
    async () => {
      const { key, row } = await killAfterRow((name) => ({
        send: async () => merchant.create(name),
        find: async () => paymentByKey(deployment.mongo, tenant, name),
      }));
      const payment = await merchant.create(key);
      expect(payment.id).toBe(row._id);
      await payWithOutcome(payment, 'approve');
      expect(await typesAt(payment.id, 'completed')).toEqual(['payment.completed']);
    },
    TEST_LIMIT_MS,
  );

  it(
    'before the start of the workflow leaves a payment that expires',
    async () => {
      const { row } = await killAfterRow((name) => ({
        send: async () => {
          const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
          return merchant.create(name, { expires_at: expiresAt });
        },
        find: async () => paymentByKey(deployment.mongo, tenant, name),
      }));
      expect(await typesAt(row._id, 'expired')).toEqual(['payment.expired']);
    },
    TEST_LIMIT_MS,
  );

  it(
    "between the bank's decision and the signal loses no approval",
    async () => {
      const { row } = await killAfterRow(async (name) => {
        const payment = await merchant.create(name);
        const bank = await enterCard(payment);
        const decided = { _id: payment.id, 'attempts.0.bank.outcome': 'approve' };
        return {
          send: async () => chooseOutcome(bank, 'approve'),
          find: async () => deployment.mongo.payments.findOne(decided),
        };
      });
      expect(await typesAt(row._id, 'completed')).toEqual(['payment.completed']);
    },
    TEST_LIMIT_MS,
  );

  it(
    'between the reservation and the start of the workflow leaves a refund that completes',
    async () => {
      let refund = {};
      const { key, row } = await killAfterRow(async (name) => {
        const payment = await merchant.create(`of-${name}`);
        await merchant.outcome(payment.id, 'approve');
        refund = { payment_id: payment.id, amount: 500 };
        return {
          send: async () => merchant.call('POST', '/v1/refunds', refund, name),
          find: async () => refundByKey(deployment.mongo, tenant, name),
        };
      });
      const again = await merchant.call('POST', '/v1/refunds', refund, key);
      expect(again).toMatchObject({ status: 201, body: { id: row._id, status: 'pending' } });
      const after = await until(
        async () => merchant.retrieve(row.payment_id),
        ({ amount_refunded: amount }) => amount > 0,
        LIMIT_MS,
      );
      expect(after).toMatchObject({ amount_refunded: 500, amount_refundable: 12_000 });
      const types = (await merchant.events(row.payment_id)).map(({ type }) => type);
      expect(types.toSorted()).toEqual([
        'payment.completed',
        'payment.refunded',
        'refund.completed',
        'refund.created',
      ]);
    },
    TEST_LIMIT_MS,
  );
});

describe('POST /v1/refunds while Temporal is unreachable', () => {
  it('creates a refund, which completes once Temporal is back', async () => {
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
