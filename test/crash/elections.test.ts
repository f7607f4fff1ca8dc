/** The database elects a new primary again and again, under payments and deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PublicPayment } from '../../domain/wire.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import { STORM_LIMIT_MS, buyDuring, expectConsistent, payWithRetries } from './paymentstorm.ts';
import { until } from '../support/until.ts';
import { failing, failingLate, openWire, unconfirmed } from '../support/servers/wire.ts';
import type { Rule } from '../support/servers/wire.ts';
import { privateName, testServers } from '../support/run.ts';
import { closeAfterTests } from '../support/close.ts';

/** An election takes a second or two. */
const ELECTION_MS = 1_500;
const CLIENTS = 4;
const WRITES = ['insert', 'update', 'commitTransaction'];

/** The errors of the members, without the labels that make a driver retry. */
const ELECTIONS: readonly Rule[] = [
  { reply: failing(10_107, 'NotWritablePrimary') },
  { commands: WRITES, reply: failingLate(11_602, 'InterruptedDueToReplStateChange') },
  { commands: ['find'], reply: failing(13_436, 'NotPrimaryOrSecondary') },
  { commands: ['insert', 'update'], reply: unconfirmed(64, 'WriteConcernTimeout') },
  { reply: failing(11_600, 'InterruptedAtShutdown') },
  { commands: WRITES, reply: unconfirmed(189, 'PrimarySteppedDown') },
];

const uri = withDatabase(testServers().mongoUri, `test_${privateName('crash-elections')}`);
const wires = [closeAfterTests(await openWire(uri)), closeAfterTests(await openWire(uri))];
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'crash-elections',
    env: { MONGODB_URI: uri },
    server: { MONGODB_URI: wires[0]!.uri },
    worker: { MONGODB_URI: wires[1]!.uri },
  }),
);
await deployment.start();

/** Replies with the errors of one election after another, with pauses between them. */
async function holdElections(): Promise<void> {
  for (const rule of ELECTIONS) {
    for (const wire of wires) wire.setRules(rule);
    await sleep(ELECTION_MS);
    for (const wire of wires) wire.setRules();
    await sleep(ELECTION_MS);
  }
}

describe('elections under load', () => {
  it(
    'lose and duplicate no accepted payment, and cause no error but 503',
    async () => {
      const merchant = await deployment.createMerchant(receiver.url);
      const statuses = new Set<number>();
      /** Retries with one key until the payment is accepted. */
      const create = async (key: string): Promise<PublicPayment> => {
        const body = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
        const send = async () => merchant.call('POST', '/v1/payments', body, key);
        const accepted = await until(send, ({ status }) => {
          statuses.add(status);
          return status !== 503;
        });
        return accepted.body as PublicPayment;
      };
      const buy = async (key: string) => {
        const payment = await create(key);
        await payWithRetries(merchant, payment);
        return payment;
      };
      const payments = await buyDuring(holdElections(), { count: CLIENTS, buy });
      expect(statuses).toEqual(new Set([201, 503]));
      await expectConsistent(deployment, { merchant, receiver }, payments);
    },
    2 * STORM_LIMIT_MS,
  );
});
