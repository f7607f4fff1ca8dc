/** Server and worker are killed again and again while merchants and customers go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PublicPayment } from '../../domain/wire.ts';
import { enterCard } from '../support/customer.ts';
import { inLanes } from '../support/lanes.ts';
import { openStage } from '../support/servers/processes.ts';
import type { Program } from '../support/servers/programs.ts';
import { openReceiver } from '../support/receiver.ts';
import { STORM_LIMIT_MS, createForSure, expectWhole, payForSure } from './paymentstorm.ts';
import { forFile } from '../support/file.ts';

const KILLS = 3;
/** A kill comes at any moment within this time after the last start: no moment is spared. */
const SPELL_MS = 1_500;
const AT_BANK = 20;
const LANES = 10;

const receiver = forFile(await openReceiver());
const stage = forFile(await openStage({ file: 'crash-storm' }));
await stage.start();
const merchant = await stage.hire(receiver.url);

async function killOften(program: Program): Promise<void> {
  for (let kills = 0; kills < KILLS; kills += 1) {
    await sleep(Math.random() * SPELL_MS);
    await program.kill();
    await program.start();
  }
}

describe('server and worker that die at random', () => {
  it(
    'lose no payment, and tell of each once',
    async () => {
      const keys = Array.from({ length: AT_BANK }, (_, index) => `bank-${index}`);
      const waiting = await inLanes(keys, LANES, async (key) => {
        const payment = await merchant.create(key);
        await enterCard(payment);
        return payment;
      });
      const over = new AbortController();
      const storm = Promise.all([killOften(stage.server), killOften(stage.worker)]).finally(() => {
        over.abort();
      });
      const pay = inLanes(waiting, LANES, async (payment) => payForSure(merchant, payment));
      const more: PublicPayment[] = [];
      const shop = async (lane: number): Promise<void> => {
        while (!over.signal.aborted) {
          const key = `lane-${lane}-${more.length}`;
          const payment = await createForSure(merchant, key);
          more.push(payment);
          expect((await createForSure(merchant, key)).id).toBe(payment.id);
          await payForSure(merchant, payment);
        }
      };
      await Promise.all([storm, pay, inLanes([1, 2], 2, shop)]);
      await expectWhole(stage, { merchant, receiver }, [...waiting, ...more]);
    },
    2 * STORM_LIMIT_MS,
  );
});
