/** The dashboard: the pages of the merchant's staff. */
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import type { Context, Middleware } from 'koa';
import { makeLookup } from '../http/lookup.ts';
import { measureRequests } from '../http/measure.ts';
import { makeTurns } from '../http/pace.ts';
import { logRequests, secureHeaders } from '../http/pages.ts';
import { checkHead, refuseUnrouted } from '../http/refuse.ts';
import { makeCounter, senderOf } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import { findSessions } from '../store/sessions.ts';
import { findInvites } from '../store/users.ts';
import { traceRequests } from '../tracing/requests.ts';
import { loadAssets } from './assets.ts';
import { makeChallenges } from './challenges.ts';
import { makeCookies } from './cookies.ts';
import type { SigningKeys } from './cookies.ts';
import { pageErrors } from './errors.tsx';
import { CHANGES, makeGuesses, makeLine } from './guesses.ts';
import type { Services } from './request.ts';
import { makeRouter } from './router.ts';
import { validLink } from './staff/invite.tsx';
import { CHECKS } from './webhooks/check.tsx';

type Made =
  | 'assets'
  | 'challenges'
  | 'cookies'
  | 'countCheck'
  | 'guesses'
  | 'setPassword'
  | 'countRequest'
  | 'findSession'
  | 'findLink';

/** The requests of all strangers together. Each costs as much as several calls of the API. */
export const STRANGERS_RATE: Rate = { perSecond: 20, burst: 100 };
/** The requests of strangers that may wait for their turn: of all, and of one network. */
const STRANGERS = { atOnce: 1, waiting: 1_000, ofOne: 100 };
const RETRY_AFTER_SECONDS = '10';
/** The delay of a refusal. It slows clients that wait for each response. */
const REFUSAL_MS = 1_000;
/** Requests that cost nothing. */
const FREE = /^\/(?:assets\/|healthz$)/;
/** The address of a link by which somebody joins, or sets a new password. */
const LINK = /^\/(?:invite|reset)\/([^/]+)$/;

export interface DashboardOptions extends Omit<Services, Made> {
  readonly signingKeys: SigningKeys;
}

/** A page costs about as much time as this number of calls to the API. */
const CALLS_OF_PAGE = 5;

/** Returns the rate of pages that costs as much as the rate of calls. */
const pagesIn = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond / CALLS_OF_PAGE,
  burst: Math.ceil(burst / CALLS_OF_PAGE),
});

/** Creates the Koa application. Throws if one of its files is missing. */
export function createDashboard(options: DashboardOptions): Koa {
  const { mongo, log, ownUrl, limits, signingKeys: keys } = options;
  const isTls = ownUrl.startsWith('https:');
  const services: Services = {
    ...options,
    assets: loadAssets(),
    challenges: makeChallenges({ origin: new URL(ownUrl).origin, keys }),
    cookies: makeCookies({ isTls, keys }),
    countCheck: makeCounter(CHECKS),
    guesses: makeGuesses(),
    setPassword: makeLine(CHANGES),
    countRequest: makeCounter(pagesIn(limits.merchant)),
    findSession: makeLookup(async (hashes) => findSessions(mongo, hashes)),
    findLink: makeLookup(async (hashes) => findInvites(mongo, hashes)),
  };
  // As in the API: without trusted proxies, any client can forge X-Forwarded-For.
  const app = new Koa({ proxy: limits.trustedHops > 0, maxIpsCount: limits.trustedHops });
  app.on('error', (error: unknown) => log.error({ err: error }, 'a response could not be sent'));
  app.use(measureRequests('dashboard'));
  app.use(queueStrangers(services));
  app.use(traceRequests({ accepts: false }));
  app.use(logRequests(log, whoAndWhere));
  // With `no-referrer`, browsers send no Origin with our own forms. The QR code is in its page.
  app.use(secureHeaders({ isTls, referrerPolicy: 'same-origin', images: ['data:'] }));
  app.use(pageErrors(services));
  app.use(checkHead);
  const router = makeRouter(services);
  app.use(router.routes());
  app.use(refuseUnrouted(router));
  return app;
}

/** Returns the route of a request, whose path may contain a token, and the user's id. */
function whoAndWhere({ state }: Context): object {
  const { route = null, user = null } = state as { route?: string; user?: string };
  return { route, user };
}

/**
 * Lets requests of strangers in one after the other, fairly among their networks. So a flood of
 * guesses leaves the processor to the payments. Responds with a late 429 if too many wait. Valid
 * links do not wait, nor do browsers in which somebody has signed in before, or has just entered
 * the right password. So an operator can let somebody in during a flood.
 */
function queueStrangers(services: Services): Middleware {
  const { cookies, limits } = services;
  const { perSecond, burst } = limits.anonymous;
  const takeTurn = makeTurns({ gapMs: 1_000 / perSecond, burst });
  const inLine = makeLine(STRANGERS);
  const mayPass = async ({ ip }: Context): Promise<boolean> =>
    inLine(senderOf(ip), takeTurn).then(
      () => true,
      () => false,
    );
  const hasLink = async ({ path }: Context): Promise<boolean> => {
    const [, token] = LINK.exec(path) ?? [];
    return token !== undefined && (await validLink(services, token, new Date())) !== undefined;
  };
  return async (ctx, next) => {
    const isKnown = FREE.test(ctx.path) || cookies.readDevice(ctx) !== undefined;
    if (isKnown || cookies.readPending(ctx, new Date()) || (await hasLink(ctx))) return next();
    if (await mayPass(ctx)) return next();
    await sleep(REFUSAL_MS);
    ctx.status = 429;
    ctx.set('Retry-After', RETRY_AFTER_SECONDS);
    ctx.body = 'Too many requests. Try again in some seconds.\n';
  };
}
