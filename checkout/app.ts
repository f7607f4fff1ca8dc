/** The customer's room: hosted checkout pages and the sandbox bank. */
import Koa from 'koa';
import type { Context, Middleware, Next } from 'koa';
import type { Router } from '@koa/router';
import helmet from 'koa-helmet';
import type { Links } from '../domain/wire.ts';
import { makeLookup } from '../http/lookup.ts';
import { checkHead } from '../http/refuse.ts';
import { makeCounter, senderOf } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import type { Log } from '../log.ts';
import type { Mongo } from '../store/mongo.ts';
import { findByTokens } from '../store/payments.ts';
import type { Temporal } from '../temporal/client.ts';
import { makeAddresses } from './address.ts';
import type { SigningKeys } from './address.ts';
import { loadAssets } from './assets.ts';
import { makeRoutes } from './routes.ts';
import { limitMisses } from './strangers.ts';
import { answerTrouble } from './trouble.ts';
import type { Desk } from './visit.ts';

interface CheckoutOptions {
  mongo: Mongo;
  temporal: Temporal;
  log: Log;
  links: Links;
  /** How long a bank may say nothing, in milliseconds. */
  bankTimeoutMs: number;
  /** HMAC keys of the bank's addresses. */
  signingKeys: SigningKeys;
  limits: CheckoutLimits;
}

export interface CheckoutLimits {
  /** The rate of requests for unknown checkout addresses, for each client address. */
  readonly anonymous: Rate;
  /** How many proxies of ours a request goes through; each adds to X-Forwarded-For. */
  readonly trustedHops: number;
}

/** The Koa application; it listens to nothing yet. Throws when one of its files is missing. */
export function createCheckout(options: CheckoutOptions): Koa {
  const { mongo, temporal, log, links, bankTimeoutMs, signingKeys } = options;
  const addresses = makeAddresses(links, signingKeys);
  const assets = loadAssets(addresses.base);
  const findByToken = makeLookup(async (tokens) => findByTokens(mongo, tokens));
  const desk: Desk = { mongo, temporal, log, addresses, assets, bankTimeoutMs, findByToken };
  const { anonymous, trustedHops } = options.limits;
  // As in the API: without proxies of ours anybody can write X-Forwarded-For.
  const app = new Koa({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
  app.on('error', (error: unknown) => log.error({ err: error }, 'an answer broke off'));
  app.use(logRequests(log));
  app.use(secureHeaders(links));
  app.use(async (ctx, next) => answerTrouble(desk, ctx, next));
  app.use(checkHead);
  app.use(limitMisses(makeCounter(anonymous)));
  const router = makeRoutes(desk);
  app.use(router.routes());
  app.use(refuseTheRest(router));
  return app;
}

/** One line for each request. The route stands for the path: tokens and signatures are secrets. */
function logRequests(log: Log): Middleware {
  return async (ctx: Context, next: Next) => {
    const startMs = performance.now();
    await next();
    const { method, status } = ctx;
    const ms = Math.round(performance.now() - startMs);
    const route: unknown = ctx['_matchedRoute'];
    const known = typeof route === 'string' ? route : null;
    log.info({ from: senderOf(ctx.ip), method, route: known, status, ms }, 'request');
  };
}

function secureHeaders(links: Links): Middleware {
  const guard = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Without TLS (a developer's machine) the header would mean nothing.
    strictTransportSecurity: links.checkoutUrl.startsWith('https:'),
  });
  return async (ctx, next) => {
    // Pages tell of payments; assets say otherwise for themselves.
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await guard(ctx, next);
  };
}

/** What no route took: 405 where another method would do, else 404. */
function refuseTheRest(router: Router): Middleware {
  return (ctx) => {
    const layers = router.match(ctx.path, ctx.method).path;
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))];
    if (allowed.length === 0) ctx.throw(404);
    ctx.set('Allow', allowed.join(', '));
    ctx.throw(405);
  };
}
