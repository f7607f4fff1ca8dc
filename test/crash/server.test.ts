/** The server is killed between two steps; what it had begun comes to its end all the same. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paymentByKey } from '../../store/payments.ts';
import { refundByKey } from '../../store/refunds.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { chooseOutcome, enterCard, payAs } from '../support/customer.ts';
import { openStage } from '../support/servers/processes.ts';
import { openProxy } from '../support/servers/proxy.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/run.ts';
import { forFile } from '../support/file.ts';

/** Beyond the sweep's interval and grace. */
const LIMIT_MS = 60_000;
/** The server answers a second after the row is there, and the test may have slept for so long. */
const MAX_TRIES = 5;
const TEST_LIMIT_MS = 240_000;

/** A payment that is made a little late is still accepted. */
const EXPIRES_MS = 6_000;

const [host = '', port] = testServers().temporalAddress.split(':');
const temporal = forFile(await openProxy({ host, port: Number(port) }));
const stage = forFile(
  await openStage({ file: 'crash-server', server: { TEMPORAL_ADDRESS: temporal.address } }),
);
await stage.start();
const merchant = await stage.hire();

const tenant = (): string => tenantOf(merchant.id, 'test');

async function typesAt(id: string, status: string): Promise<string[]> {
  await until(
    async () => (await merchant.retrieve(id)).status,
    (now) => now === status,
    LIMIT_MS,
  );
  return (await merchant.events(id)).map(({ type }) => type);
}

/** What the server is killed in the middle of. */
interface Step<Row> {
  readonly begin: () => Promise<unknown>;
  /** What it writes before it turns to Temporal, which does not answer. */
  readonly find: () => Promise<Row | null>;
}

/** Kills the server between the row and its answer, and starts it again; answers the row. */
async function dieAfter<Row>(make: (key: string) => Step<Row> | Promise<Step<Row>>) {
  const name = randomUUID();
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const key = `${name}-${tries}`;
    const { begin, find } = await make(key);
    temporal.pause();
    const cut = begin().then(
      () => 'answered',
      () => 'cut off',
    );
    const row = await until(find, (found) => found !== null);
    await stage.server.kill();
    const how = await cut;
    // The dead server's last words to Temporal must not be heard after all.
    temporal.cut();
    temporal.resume();
    await stage.server.start();
    if (how === 'cut off') return { key, row: row! };
  }
  throw new Error(`The server answered ${MAX_TRIES} times before it could be killed.`);
}

describe('a server that dies', () => {
  it(
    'after the insert and before the start has made a payment that can be paid',
    async () => {
      const { key, row } = await dieAfter((name) => ({
        begin: async () => merchant.create(name),
        find: async () => paymentByKey(stage.mongo, tenant(), name),
      }));
      const payment = await merchant.create(key);
      expect(payment.id).toBe(row._id);
      await payAs(payment, 'approve');
      expect(await typesAt(payment.id, 'completed')).toEqual(['payment.completed']);
    },
    TEST_LIMIT_MS,
  );

  it(
    'before the start has made a payment that expires in time',
    async () => {
      const { row } = await dieAfter((name) => ({
        begin: async () => {
          const expiresAt = new Date(Date.now() + EXPIRES_MS).toISOString();
          return merchant.create(name, { expires_at: expiresAt });
        },
        find: async () => paymentByKey(stage.mongo, tenant(), name),
      }));
      expect(await typesAt(row._id, 'expired')).toEqual(['payment.expired']);
    },
    TEST_LIMIT_MS,
  );

  it(
    "after the bank's decision and before the wake loses no approval",
    async () => {
      const { row } = await dieAfter(async (name) => {
        const payment = await merchant.create(name);
        const bank = await enterCard(payment);
        const decided = { _id: payment.id, 'attempts.0.bank.outcome': 'approve' };
        return {
          begin: async () => chooseOutcome(bank, 'approve'),
          find: async () => stage.mongo.payments.findOne(decided),
        };
      });
      expect(await typesAt(row._id, 'completed')).toEqual(['payment.completed']);
    },
    TEST_LIMIT_MS,
  );

  it(
    'after the reservation and before the start has made a refund that is carried out',
    async () => {
      let refund = {};
      const { key, row } = await dieAfter(async (name) => {
        const payment = await merchant.create(`of-${name}`);
        await merchant.outcome(payment.id, 'approve');
        refund = { payment_id: payment.id, amount: 500 };
        return {
          begin: async () => merchant.call('POST', '/v1/refunds', refund, name),
          find: async () => refundByKey(stage.mongo, tenant(), name),
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
