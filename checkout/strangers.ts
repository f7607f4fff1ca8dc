/** Client addresses that try out tokens and signatures: how many misses each of them has. */
import type { Middleware } from 'koa';
import { senderOf } from '../http/sender.ts';
import type { Counter } from '../http/sender.ts';

/**
 * Counts what is not found, and throws 429 instead once there is too much of it. Only misses count,
 * so that customers behind the same address are served.
 */
export function limitMisses(counter: Counter): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if ((error as { status?: unknown }).status !== 404) throw error;
      const { isOver, resetSeconds } = await counter(senderOf(ctx.ip));
      if (!isOver) throw error;
      ctx.set('Retry-After', String(resetSeconds));
      ctx.throw(429);
    }
  };
}
