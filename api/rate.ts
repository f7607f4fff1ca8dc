/**
 * Rate limits: the requests that a merchant, or an unknown client's address, may send. They are
 * counted in windows in the memory of this process. Every response has them as the IETF's RateLimit
 * fields.
 */
import type { Context, Middleware } from 'koa';
import { makePace } from '../http/pace.ts';
import { makeCounter, senderOf, windowSeconds } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ApiLimits, ApiState } from './call.ts';

export type Limiters = ReturnType<typeof makeLimiters>;

/** Creates the limiters of one app. A count ends with its window. */
export const makeLimiters = ({ merchant, anonymous }: Omit<ApiLimits, 'trustedHops'>) => ({
  merchant: makeLimiter('default', merchant),
  anonymous: makeLimiter('anonymous', anonymous),
});

/**
 * Creates a function that counts a request from `client` and sets the response's headers. It
 * refuses a request over the rate. The header rounds the window (`w`) up to whole seconds, so that
 * it never promises too much.
 */
function makeLimiter(name: string, rate: Rate) {
  const counter = makeCounter(rate);
  const policy = `"${name}";q=${rate.burst};w=${Math.ceil(windowSeconds(rate))}`;
  return async (ctx: Pick<Context, 'set'>, client: string): Promise<void> => {
    const { left, resetSeconds, isOver } = await counter(client);
    ctx.set({
      'RateLimit-Policy': policy,
      RateLimit: `"${name}";r=${left};t=${resetSeconds}`,
    });
    if (!isOver) return;
    throw new Refusal('too_many_requests', { headers: { 'Retry-After': String(resetSeconds) } });
  };
}

/** The number of refusals per 100 ms that are not slowed. Honest clients make fewer mistakes. */
const REFUSALS_AT_ONCE = 10;

/**
 * Counts requests that are refused before their merchant is known: malformed and unknown keys, and
 * unknown paths. Nothing else counts, so merchants who share an address with a stranger are served.
 * Slows down floods of such requests, and of requests that are over any limit.
 */
export function limitStrangers({ anonymous }: Limiters): Middleware<ApiState> {
  const pace = makePace(REFUSALS_AT_ONCE);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
      const isOver = error.code === 'too_many_requests';
      const isStranger = ctx.state.tenant === undefined && !isOver;
      try {
        if (isStranger) await anonymous(ctx, senderOf(ctx.ip));
      } finally {
        if (isStranger || isOver) await pace();
      }
      throw error;
    }
  };
}
