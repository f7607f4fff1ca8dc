/** Client addresses that try out tokens and signatures: how many misses each of them has. */
import type { Middleware } from 'koa';
import { makePace } from '../http/pace.ts';
import { senderOf } from '../http/sender.ts';
import type { Counter } from '../http/sender.ts';

/** More customers than follow an outdated link in a tenth of a second. */
const MISSES_AT_ONCE = 10;

/**
 * Counts and slows down what is not found, and throws 429 instead once there is too much of it.
 * Only misses count, so that customers behind the same address are served.
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
