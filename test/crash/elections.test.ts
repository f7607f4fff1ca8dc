/** A database that changes its primary, again and again, under payments and deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { PublicPayment } from '../../domain/wire.ts';
import { inLanes } from '../support/lanes.ts';
import { openStage, withDatabase } from '../support/servers/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { STORM_LIMIT_MS, expectWhole, payForSure } from './paymentstorm.ts';
import { until } from '../support/until.ts';
import { failing, failingLate, openWire, unconfirmed } from '../support/servers/wire.ts';
import type { Rule } from '../support/servers/wire.ts';
import { privateName, testServers } from '../support/run.ts';
import { forFile } from '../support/file.ts';

/** An election takes a second or two. */
const SPELL_MS = 1_500;
const LANES = 4;
const WRITES = ['insert', 'update', 'commitTransaction'];

/** What one member after the other says, without the labels that a driver would go by. */
const SPELLS: readonly Rule[] = [
  { reply: failing(10_107, 'NotWritablePrimary') },
  { commands: WRITES, reply: failingLate(11_602, 'InterruptedDueToReplStateChange') },
  { commands: ['find'], reply: failing(13_436, 'NotPrimaryOrSecondary') },
  { commands: ['insert', 'update'], reply: unconfirmed(64, 'WriteConcernTimeout') },
  { reply: failing(11_600, 'InterruptedAtShutdown') },
  { commands: WRITES, reply: unconfirmed(189, 'PrimarySteppedDown') },
];

const uri = withDatabase(testServers().mongoUri, `test_${privateName('crash-elections')}`);
const wires = [await openWire(uri), await openWire(uri)];
const receiver = forFile(await openReceiver());
const stage = forFile(
  await openStage({
    file: 'crash-elections',
    // No answer is late, however busy the machine: it would be asked for once more.
    env: { MONGODB_URI: uri, WEBHOOK_TIMEOUT_MS: '10000' },
    server: { MONGODB_URI: wires[0]!.uri },
    worker: { MONGODB_URI: wires[1]!.uri },
  }),
);
await stage.start();
afterAll(async () => {
  for (const wire of wires ?? []) await wire.close();
});

describe('elections under load', () => {
  it(
    'lose no payment that was accepted, double none, and are answered with 503 alone',
    async () => {
      const merchant = await stage.hire(receiver.url);
      const answers = new Set<number>();
      /** Creates a payment with one key until it is accepted. */
      const create = async (key: string): Promise<PublicPayment> => {
        const body = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
        const send = async () => merchant.call('POST', '/v1/payments', body, key);
        const answer = await until(send, ({ status }) => {
          answers.add(status);
          return status !== 503;
        });
        return answer.body as PublicPayment;
      };
      const over = new AbortController();
      const storm = async (): Promise<void> => {
        for (const rule of SPELLS) {
          for (const wire of wires) wire.obey(rule);
          await sleep(SPELL_MS);
          for (const wire of wires) wire.obey();
          await sleep(SPELL_MS);
        }
        over.abort();
      };
      const payments: PublicPayment[] = [];
      const shop = async (lane: number): Promise<void> => {
        while (!over.signal.aborted) {
          const payment = await create(`lane-${lane}-${payments.length}`);
          payments.push(payment);
          await payForSure(merchant, payment);
        }
      };
      const lanes = Array.from({ length: LANES }, (_, lane) => lane);
      await Promise.all([storm(), inLanes(lanes, LANES, shop)]);
      expect(answers).toEqual(new Set([201, 503]));
      await expectWhole(stage, { merchant, receiver }, payments);
    },
    2 * STORM_LIMIT_MS,
  );
});
