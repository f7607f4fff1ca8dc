/**
 * How many requests a merchant, or a stranger's address, may send: windows of time that are counted
 * in the memory of this process, and told on every answer as the IETF's RateLimit fields.
 */
import type { Context, Middleware } from 'koa';
import { makePace } from '../http/pace.ts';
import { makeCounter, senderOf, windowSeconds } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import type { ApiState } from './call.ts';
import { Refusal } from '../operations/refusal.ts';

export interface ApiLimits {
  /** Of each merchant, and apart from it of its other mode. */
  readonly merchant: Rate;
  /** Of each address, for calls whose sender we do not know. */
  readonly anonymous: Rate;
  /** How many proxies of ours a request goes through; each adds to X-Forwarded-For. */
  readonly trustedHops: number;
}

/** Counts one request of `who`, and says on the answer what is left. Refuses what is too much. */
export type Take = (ctx: Pick<Context, 'set'>, who: string) => Promise<void>;

export interface Limiters {
  readonly merchant: Take;
  readonly anonymous: Take;
}

/** The counts of one app; nothing of them outlives its window. */
export function makeLimiters({ merchant, anonymous }: Omit<ApiLimits, 'trustedHops'>): Limiters {
  return { merchant: makeTake('default', merchant), anonymous: makeTake('anonymous', anonymous) };
}

/**
 * Creates a limiter. `w` in its policy is whole seconds, rounded up so that it never promises too
 * much.
 */
function makeTake(name: string, rate: Rate): Take {
  const counter = makeCounter(rate);
  const policy = `"${name}";q=${rate.burst};w=${Math.ceil(windowSeconds(rate))}`;
  return async (ctx, who) => {
    const { left, resetSeconds, isOver } = await counter(who);
    ctx.set({
      'RateLimit-Policy': policy,
      RateLimit: `"${name}";r=${left};t=${resetSeconds}`,
    });
    if (!isOver) return;
    throw new Refusal('too_many_requests', { headers: { 'Retry-After': String(resetSeconds) } });
  };
}

/** Whether the sender is to be counted: not twice, and not when a dependency of ours is away. */
function isStrangers(ctx: { state: ApiState }, error: unknown): boolean {
  if (ctx.state.m !== undefined || !(error instanceof Refusal)) return false;
  return error.code !== 'too_many_requests' && error.code !== 'unavailable';
}

/**
 * Counts requests that are refused before their merchant is known: malformed and unknown keys, and
 * unknown paths. Nothing else counts, so merchants who share an address with a stranger are served.
 */
export function limitStrangers({ anonymous }: Limiters): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (isStrangers(ctx, error)) await anonymous(ctx, senderOf(ctx.ip));
      throw error;
    }
  };
}

/** The refusals in a tenth of a second that are not slowed. Honest clients make fewer mistakes. */
const REFUSALS_AT_ONCE = 10;

/** Slows down floods of requests that are over a limit or come from strangers. */
export function slowFloods(): Middleware<ApiState> {
  const pace = makePace(REFUSALS_AT_ONCE);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isOver = error instanceof Refusal && error.code === 'too_many_requests';
      if (isOver || isStrangers(ctx, error)) await pace();
      throw error;
    }
  };
}
