/** Server and worker are killed again and again while merchants and customers carry on. */
import { describe, expect, it } from 'vitest';
import { enterCard } from '../support/customer.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import {
  STORM_LIMIT_MS,
  buyDuring,
  createWithRetries,
  expectConsistent,
  killRepeatedly,
  payWithRetries,
} from './paymentstorm.ts';
import { closeAfterTests } from '../support/close.ts';

const KILLS = 3;
const AT_BANK = 20;
const CONCURRENCY = 10;

const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(await openDeployment({ file: 'crash-storm' }));
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);

describe('a server and a worker that are killed at random moments', () => {
  it(
    'lose no payment, and create one event for each one',
    async () => {
      const keys = Array.from({ length: AT_BANK }, (_, index) => `bank-${index}`);
      const atBank = await mapConcurrently(keys, CONCURRENCY, async (key) => {
        const payment = await merchant.create(key);
        await enterCard(payment);
        return payment;
      });
      const storm = Promise.all([
        killRepeatedly(deployment.server, KILLS),
        killRepeatedly(deployment.worker, KILLS),
      ]);
      const pay = mapConcurrently(atBank, CONCURRENCY, async (each) =>
        payWithRetries(merchant, each),
      );
      const buy = async (key: string) => {
        const payment = await createWithRetries(merchant, key);
        expect((await createWithRetries(merchant, key)).id).toBe(payment.id);
        await payWithRetries(merchant, payment);
        return payment;
      };
      const [bought] = await Promise.all([buyDuring(storm, { count: 2, buy }), pay]);
      await expectConsistent(deployment, { merchant, receiver }, [...atBank, ...bought]);
    },
    2 * STORM_LIMIT_MS,
  );
});
