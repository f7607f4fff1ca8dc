/** The hosted checkout pages and the sandbox bank. */
import Koa from 'koa';
import type { Context } from 'koa';
import type { Links } from '../domain/wire.ts';
import { makeLookup } from '../http/lookup.ts';
import { measureRequests } from '../http/measure.ts';
import { logRequests } from '../http/pages.ts';
import { checkHead, refuseUnrouted } from '../http/refuse.ts';
import { makeCounter } from '../http/sender.ts';
import type { Rate } from '../http/sender.ts';
import { findFiles } from '../store/files.ts';
import { findLogos } from '../store/logos.ts';
import { findByTokens } from '../store/payments.ts';
import { traceRequests } from '../tracing/requests.ts';
import { makeAddresses } from './address.ts';
import type { SigningKeys } from './address.ts';
import { loadAssets } from './assets.ts';
import { pageErrors } from './errors.ts';
import { checkoutHeaders } from './headers.ts';
import { rememberLanguage } from './language.ts';
import { limitMisses } from './misses.ts';
import { refuseForeignForms } from './origin.ts';
import { takeReports } from './reports.ts';
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
  const findFile = makeLookup(async (hashes) => findFiles(mongo, hashes));
  const services: Services = { ...options, addresses, assets, findByToken, findLogo, findFile };
  const { anonymous, trustedHops } = limits;
  // As in the API: without trusted proxies, any client can forge X-Forwarded-For.
  const app = new Koa({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
  app.on('error', (error: unknown) => log.error({ err: error }, 'a response could not be sent'));
  app.use(measureRequests('checkout'));
  // First, so that a flood of reports fills no log of requests.
  app.use(takeReports(log));
  app.use(traceRequests({ accepts: false }));
  app.use(logRequests(log, routeOf));
  app.use(checkoutHeaders(links.checkoutUrl));
  app.use(pageErrors(services));
  app.use(checkHead);
  app.use(limitMisses(makeCounter(anonymous)));
  app.use(refuseForeignForms(links.checkoutUrl));
  const isTls = links.checkoutUrl.startsWith('https:');
  app.use(rememberLanguage({ path: `${addresses.base}/`, isTls }));
  const router = makeRoutes(services);
  app.use(router.routes());
  app.use(refuseUnrouted(router));
  return app;
}

/** Returns the route of a request, because its path contains secrets. */
function routeOf(ctx: Context): { route: string | null } {
  const route: unknown = ctx['_matchedRoute'];
  return { route: typeof route === 'string' ? route : null };
}
