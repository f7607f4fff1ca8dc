/** Servers and workers are replaced one at a time while merchants and customers carry on. */
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import { openFleet } from './fleet.ts';
import { rollUnderLoad, summaryOf } from './roll.ts';

const LANES = 4;
/** Requests that succeed between two replacements. */
const BETWEEN = 15;
const LIMIT_MS = 300_000;

const receiver = closeAfterTests(await openReceiver());
const fleet = closeAfterTests(await openFleet('rolling'));
await fleet.start();
const merchant = await fleet.deployment.createMerchant(receiver.url);

describe('two servers and two workers that are replaced in turn', () => {
  it(
    'lose and double nothing, and break no request',
    async () => {
      const { counts, stops, broken, ...result } = await rollUnderLoad(fleet, {
        shop: { merchant, receiver },
        lanes: LANES,
        between: BETWEEN,
      });
      console.log(summaryOf({ counts, stops, broken, ...result }));
      expect([result.lost, result.doubled]).toEqual([[], []]);
      expect(broken).toEqual([]);
      expect(counts.undocumented).toEqual([]);
      // A busy machine may delay calls that wait for the payment's workflow, again and again.
      expect(counts.stubborn.filter((name) => !/\/(?:cancel|outcome):/.test(name))).toEqual([]);
      // On a busy machine a worker may reach its limit, which it ends by itself.
      expect(stops.filter(({ code }) => code === null)).toEqual([]);
    },
    LIMIT_MS,
  );
});
