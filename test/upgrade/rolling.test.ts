/** Servers and workers are replaced one at a time while merchants and customers carry on. */
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import { openFleet } from './fleet.ts';
import { compare, startShoppers } from './shoppers.ts';

const LANES = 6;
/** Requests that succeed between two replacements. */
const BETWEEN = 20;
const LIMIT_MS = 300_000;

const receiver = closeAfterTests(await openReceiver());
const fleet = closeAfterTests(await openFleet('rolling'));
const { deployment, balancer } = fleet;
await fleet.start();
const merchant = await deployment.createMerchant(receiver.url);

describe('two servers and two workers that are replaced in turn', () => {
  it(
    'lose and double nothing, and answer every request after one repeat at most',
    async () => {
      const shoppers = startShoppers({ merchant, apiUrl: balancer.apiUrl }, LANES);
      const served = async () => shoppers.served(BETWEEN);
      await served();
      const stops = await fleet.roll(served);
      const purchases = await shoppers.finish();
      const { webhooks, ...findings } = await compare(deployment, { merchant, receiver }, purchases);
      const { counts } = shoppers;
      console.log(
        `${purchases.length} purchases, ${webhooks} webhooks, ${counts.answered} requests, ` +
          `${counts.repeated.length} repeated, longest gap ${Math.round(counts.longestGapMs)} ms`,
      );
      expect(findings).toEqual({ lost: [], doubled: [] });
      expect({ undocumented: counts.undocumented, stubborn: counts.stubborn }).toEqual({
        undocumented: [],
        stubborn: [],
      });
      // The balancer stops using a server before the server stops listening.
      expect(balancer.broken).toEqual([]);
      expect(stops.map(({ name, code }) => `${name} ${code}`)).toEqual([
        'worker-1 0',
        'worker-2 0',
        'server-1 0',
        'server-2 0',
      ]);
    },
    LIMIT_MS,
  );
});
