/** Counts requests by sender. */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A rate of requests a second on average, and of `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export type Counter = ReturnType<typeof makeCounter>;

/**
 * Creates a counter in the memory of this process. It counts in windows, each as long as the rate
 * needs for a whole burst, so one quota enforces both the average and the burst. A window begins
 * with its first request.
 */
export function makeCounter({ perSecond, burst }: Rate) {
  const duration = windowSeconds({ perSecond, burst });
  const limiter = new RateLimiterMemory({ points: burst, duration });
  return async (who: string) => {
    const count = await limiter.consume(who).catch(countOf);
    return {
      left: count.remainingPoints,
      /** The time until the window ends, in whole seconds. */
      resetSeconds: Math.max(1, Math.ceil(count.msBeforeNext / 1000)),
      isOver: count.consumedPoints > burst,
    };
  };
}

/** Returns the length of the rate's window in seconds. */
export const windowSeconds = ({ perSecond, burst }: Rate): number => burst / perSecond;

/** Returns the count with which the limiter rejects a request. Rethrows any other error. */
function countOf(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}

/**
 * Returns the name of the sender: an IPv4 address, even if it is written as IPv6 or with a port, or
 * the /64 of an IPv6 address, because nobody gets less than a /64.
 */
export function senderOf(ip: string): string {
  const bare = ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
