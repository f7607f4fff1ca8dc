/** Limits for clients that guess tokens and signatures. */
import type { Middleware } from 'koa';
import { makePace } from '../http/pace.ts';
import { senderOf } from '../http/sender.ts';
import type { Counter } from '../http/sender.ts';

/** The misses per tenth of a second that are not slowed down. Real customers cause fewer. */
const MISSES_AT_ONCE = 10;

/**
 * Counts and slows down requests that end in 404, and throws 429 if one sender has too many. Only
 * misses count, so customers behind the same address are still served.
 */
export function limitMisses(counter: Counter): Middleware {
  const pace = makePace(MISSES_AT_ONCE);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if ((error as { status?: unknown }).status !== 404) throw error;
      await pace();
      const { isOver, resetSeconds } = await counter(senderOf(ctx.ip));
      if (!isOver) throw error;
      ctx.set('Retry-After', String(resetSeconds));
      ctx.throw(429);
    }
  };
}
