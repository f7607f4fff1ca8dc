/** Who counts as one sender, and how many requests it has sent. */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many requests a second over time, and so many at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Count {
  readonly left: number;
  /** Until the window ends, in whole seconds from 1 on. */
  readonly resetSeconds: number;
  /** Whether the request that was counted is more than the rate allows. */
  readonly isOver: boolean;
}

/** Counts a request of `who`. Nothing of it outlives its window. */
export type Counter = (who: string) => Promise<Count>;

/**
 * Counts in windows of time, in the memory of this process. The window is as long as the rate needs
 * for a whole burst, so that the one quota tells both. It begins with the first request in it.
 */
export function makeCounter({ perSecond, burst }: Rate): Counter {
  const duration = windowSeconds({ perSecond, burst });
  const limiter = new RateLimiterMemory({ points: burst, duration });
  return async (who) => {
    const count = await limiter.consume(who).catch(countOf);
    return {
      left: count.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(count.msBeforeNext / 1000)),
      isOver: count.consumedPoints > burst,
    };
  };
}

/** How long a window of that rate is, in seconds. */
export const windowSeconds = ({ perSecond, burst }: Rate): number => burst / perSecond;

/** The limiter rejects with its count when that is too high, and with an error for a fault. */
function countOf(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}

/**
 * Who counts as one sender: an IPv4 address, also when it is written as IPv6 or with a port, or the
 * /64 of an IPv6 address, which is the least that anybody gets.
 */
export function senderOf(ip: string): string {
  const bare = ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
