/** The dashboard: the pages of the merchant's staff. */
import Koa from 'koa';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { makeLookup } from '../http/lookup.ts';
import { makeTurns } from '../http/pace.ts';
import { checkHead, refuseUnrouted } from '../http/refuse.ts';
import { senderOf } from '../http/sender.ts';
import type { Log } from '../log.ts';
import { findSessions } from '../store/sessions.ts';
import { findInvites } from '../store/users.ts';
import { loadAssets } from './assets.ts';
import { makeChallenges } from './challenges.ts';
import { makeCookies } from './cookies.ts';
import type { SigningKeys } from './cookies.ts';
import { handleErrors } from './errors.tsx';
import { makeGuesses } from './guesses.ts';
import type { Services } from './request.ts';
import { makeRouter } from './router.ts';

type Made = 'assets' | 'challenges' | 'cookies' | 'guesses' | 'findSession' | 'findLink';

/** The requests of strangers that may wait for their turn. */
const MAX_WAITING = 1_000;
/** Requests that cost nothing. */
const FREE = /^\/(?:assets\/|healthz$)/;

export interface DashboardOptions extends Omit<Services, Made> {
  readonly signingKeys: SigningKeys;
}

/** Creates the Koa application. Throws if one of its files is missing. */
export function createDashboard(options: DashboardOptions): Koa {
  const { mongo, log, ownUrl, limits, signingKeys: keys } = options;
  const isTls = ownUrl.startsWith('https:');
  const services: Services = {
    ...options,
    assets: loadAssets(),
    challenges: makeChallenges({ origin: new URL(ownUrl).origin, keys }),
    cookies: makeCookies({ isTls, keys }),
    guesses: makeGuesses(),
    findSession: makeLookup(async (hashes) => findSessions(mongo, hashes)),
    findLink: makeLookup(async (hashes) => findInvites(mongo, hashes)),
  };
  // As in the API: without trusted proxies, any client can forge X-Forwarded-For.
  const app = new Koa({ proxy: limits.trustedHops > 0, maxIpsCount: limits.trustedHops });
  app.on('error', (error: unknown) => log.error({ err: error }, 'a response could not be sent'));
  app.use(logRequests(log));
  app.use(secureHeaders(isTls));
  app.use(queueStrangers(services));
  app.use(handleErrors(services));
  app.use(checkHead);
  const router = makeRouter(services);
  app.use(router.routes());
  app.use(refuseUnrouted(router));
  return app;
}

/** Logs each request with its route instead of its path, which may contain a token. */
function logRequests(log: Log): Middleware {
  return async (ctx, next) => {
    const startMs = performance.now();
    await next();
    const { method, status } = ctx;
    const ms = Math.round(performance.now() - startMs);
    const { route = null, user = null } = ctx.state as { route?: string; user?: string };
    log.info({ from: senderOf(ctx.ip), method, route, user, status, ms }, 'request');
  };
}

/**
 * Lets requests of strangers in one after the other, so that a flood of guesses leaves the
 * processor to the payments. A browser in which somebody has signed in before does not wait.
 */
function queueStrangers({ cookies, limits: { anonymous } }: Services): Middleware {
  const { perSecond, burst } = anonymous;
  const takeTurn = makeTurns({ gapMs: 1_000 / perSecond, burst, most: MAX_WAITING });
  return async (ctx, next) => {
    const isKnown = FREE.test(ctx.path) || cookies.readDevice(ctx) !== undefined;
    const mayBeStaff = cookies.readSession(ctx) !== undefined;
    let isIn = isKnown || mayBeStaff || (await takeTurn());
    if (isIn) await next();
    const { user } = ctx.state as { user?: string };
    // The session was made up, or has ended.
    if (!isKnown && mayBeStaff && user === undefined) isIn = await takeTurn();
    if (!isIn) ctx.req.socket.destroy();
  };
}

function secureHeaders(isTls: boolean): Middleware {
  const guard = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // With `no-referrer`, browsers send no Origin with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isTls,
  });
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await guard(ctx, next);
  };
}
