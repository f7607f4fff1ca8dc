/** The way of webhooks out of this machine, to the receivers that merchants have registered. */
import type { Range } from '../outbound/address.ts';
import { probeReceiver } from '../outbound/probe.ts';
import type { Probed } from '../outbound/probe.ts';
import { newestReceivers } from '../store/inspect.ts';
import type { Mongo } from '../store/mongo.ts';
import { ok, problem, skipped } from './check.ts';
import type { Result } from './check.ts';

/** Enough to tell a fault of ours from that of one receiver. */
const HOSTS = 5;

/** Connects to the newest receivers, and sends nothing. */
export async function judgeReceivers(mongo: Mongo, opened: readonly Range[]): Promise<Result> {
  const urls = await newestReceivers(mongo, HOSTS);
  if (urls.length === 0) return skipped('No merchant has an endpoint yet.');
  const probed = urls.map(async ({ href, host }) => {
    return [host, await probeReceiver(href, opened)] as const;
  });
  return judgeProbes(await Promise.all(probed));
}

/** Judges the results by host. One host that can be reached is enough: the others have a fault. */
export function judgeProbes(probed: readonly (readonly [host: string, result: Probed])[]): Result {
  const hostsWith = (...results: readonly Probed[]): string[] =>
    probed.filter(([, result]) => results.includes(result)).map(([host]) => host);
  const blocked = hostsWith('address_blocked');
  if (blocked.length > 0) {
    const found = `Webhooks may not go to ${blocked.join(', ')}: the address is private.`;
    return problem('receivers_private', found);
  }
  const reached = hostsWith('connected', 'refused');
  const unresolved = hostsWith('dns_failed');
  const lost = [...unresolved, ...hostsWith('unreachable')];
  if (reached.length > 0) {
    const rest = lost.length > 0 ? ` Without a connection: ${lost.join(', ')}.` : '';
    return ok(`${reached.length} of ${probed.length} receivers can be reached.${rest}`);
  }
  if (unresolved.length === probed.length) {
    return problem('receivers_unresolved', `No name could be looked up: ${lost.join(', ')}.`);
  }
  return problem('receivers_unreachable', `No connection to ${lost.join(', ')}.`);
}
