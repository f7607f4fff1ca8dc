/** Replaces a fleet under load, and sums up what merchants and customers noticed. */
import type { Merchant } from '../support/merchant.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Counts } from './client.ts';
import type { Fleet, Stop } from './fleet.ts';
import { compare, startShoppers } from './shoppers.ts';
import type { Findings } from './shoppers.ts';

interface Load {
  readonly shop: { readonly merchant: Merchant; readonly receiver: Receiver };
  readonly lanes: number;
  /** The requests that succeed after each replacement. */
  readonly between: number;
  /** The folder of the new programs, by default the present ones. */
  readonly build?: string;
}

interface Result extends Findings {
  readonly counts: Counts;
  readonly stops: readonly Stop[];
  readonly broken: readonly string[];
  readonly purchases: number;
}

/** Replaces every program while customers buy. Returns what was lost, doubled and repeated. */
export async function rollUnderLoad(fleet: Fleet, load: Load): Promise<Result> {
  const { deployment, balancer } = fleet;
  const { shop, lanes, between, build } = load;
  const shoppers = startShoppers({ merchant: shop.merchant, apiUrl: balancer.apiUrl }, lanes);
  const served = async () => shoppers.served(between);
  await served();
  const stops = await fleet.roll(served, build);
  const purchases = await shoppers.finish();
  const findings = await compare(deployment, shop, purchases);
  const { counts } = shoppers;
  return { ...findings, counts, stops, broken: balancer.broken, purchases: purchases.length };
}

/** Returns the figures of a roll as text. */
export function summaryOf({ counts, stops, broken, ...result }: Result): string {
  const longest = Math.max(...stops.map(({ tookMs }) => tookMs));
  return [
    `${result.purchases} purchases, ${result.webhooks} webhooks, ${counts.answered} requests`,
    `${result.lost.length} lost, ${result.doubled.length} doubled, ${broken.length} broken`,
    `${counts.repeated.length} repeated, ${counts.stubborn.length} more than once`,
    `longest gap without a success ${Math.round(counts.longestGapMs)} ms`,
    `longest stop ${Math.round(longest)} ms`,
  ].join('; ');
}
