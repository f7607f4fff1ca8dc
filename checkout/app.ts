/** The hosted checkout pages and the sandbox bank. */
import Koa from 'koa';
import type { Context, Middleware, Next } from 'koa';
import helmet from 'koa-helmet';
import type { Links } from '../domain/wire.ts';
import { makeLookup } from '../http/lookup.ts';
import { checkHead, refuseUnrouted } from '../http/refuse.ts';
import { makeCounter, senderOf } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import type { Log } from '../log.ts';
import { findLogos } from '../store/logos.ts';
import { findByTokens } from '../store/payments.ts';
import { makeAddresses } from './address.ts';
import type { SigningKeys } from './address.ts';
import { loadAssets } from './assets.ts';
import { handleErrors } from './errors.ts';
import { limitMisses } from './misses.ts';
import type { Services } from './request.ts';
import { makeRoutes } from './routes.ts';

interface CheckoutOptions extends Pick<Services, 'mongo' | 'temporal' | 'log' | 'bankTimeoutMs'> {
  links: Links;
  signingKeys: SigningKeys;
  limits: {
    /** The rate of requests for unknown addresses, for each client address. */
    readonly anonymous: Rate;
    /** The number of trusted proxies. Each adds to X-Forwarded-For. */
    readonly trustedHops: number;
  };
}

/** Creates the Koa application. Throws if one of its files is missing. */
export function createCheckout(options: CheckoutOptions): Koa {
  const { mongo, log, links, signingKeys, limits } = options;
  const addresses = makeAddresses(links, signingKeys);
  const assets = loadAssets(addresses.base);
  const findByToken = makeLookup(async (tokens) => findByTokens(mongo, tokens));
  const findLogo = makeLookup(async (ids) => findLogos(mongo, ids));
  const services: Services = { ...options, addresses, assets, findByToken, findLogo };
  const { anonymous, trustedHops } = limits;
  // As in the API: without trusted proxies, any client can forge X-Forwarded-For.
  const app = new Koa({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
  app.on('error', (error: unknown) => log.error({ err: error }, 'a response could not be sent'));
  app.use(logRequests(log));
  app.use(secureHeaders(links));
  app.use(handleErrors(services));
  app.use(checkHead);
  app.use(limitMisses(makeCounter(anonymous)));
  const router = makeRoutes(services);
  app.use(router.routes());
  app.use(refuseUnrouted(router));
  return app;
}

/** Logs each request with its route instead of its path, which contains secrets. */
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
    // Browsers ignore the header without TLS.
    strictTransportSecurity: links.checkoutUrl.startsWith('https:'),
  });
  return async (ctx, next) => {
    // Pages show payments. Assets replace this header.
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await guard(ctx, next);
  };
}
