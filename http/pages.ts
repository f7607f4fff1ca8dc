/** The request log, headers and error pages of the checkout and the dashboard. */
import type { Context, Middleware } from 'koa';
import helmet from 'koa-helmet';
import { senderOf } from './sender.ts';

interface Log {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 5;
/** The name of the address for reports, which one header gives to the other. */
const REPORTS_NAME = 'csp';

/**
 * Logs each request. `detailsOf` returns more about it, such as its route; the path is not logged,
 * because it may contain a secret.
 */
export function logRequests(log: Log, detailsOf: (ctx: Context) => object): Middleware {
  return async (ctx, next) => {
    const startMs = performance.now();
    await next();
    const { method, status } = ctx;
    const ms = Math.round(performance.now() - startMs);
    log.info({ from: senderOf(ctx.ip), method, ...detailsOf(ctx), status, ms }, 'request');
  };
}

interface HeaderOptions {
  /** True if browsers reach the pages by TLS. */
  readonly isTls: boolean;
  /** Sources of images besides the pages' own server. */
  readonly images?: readonly string[];
  readonly referrerPolicy: 'no-referrer' | 'same-origin';
  /** The path to which browsers report violations. Its pages also fill no HTML in by script. */
  readonly reports?: string;
}

/** The features of browsers that no page uses. Scripts could ask for them otherwise. */
const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];
const PERMISSIONS = FEATURES.map((feature) => `${feature}=()`).join(', ');

/** Allows pages nothing but their own files, and keeps them out of caches and search engines. */
export function secureHeaders(options: HeaderOptions): Middleware {
  const { isTls, images = [], referrerPolicy, reports } = options;
  const guard = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", ...images],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        ...(reports !== undefined && {
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ["'none'"],
          // Browsers that know `report-to` ignore `report-uri`.
          reportUri: [reports],
          reportTo: [REPORTS_NAME],
        }),
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: referrerPolicy },
    strictTransportSecurity: isTls,
  });
  return async (ctx, next) => {
    // Pages show payments. Files replace this header.
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    ctx.set('Permissions-Policy', PERMISSIONS);
    if (reports !== undefined) ctx.set('Reporting-Endpoints', `${REPORTS_NAME}="${reports}"`);
    await guard(ctx, next);
  };
}

interface ErrorOptions {
  readonly log: Log;
  /** Returns the status of an error that has none of its own; undefined for a fault of ours. */
  readonly statusOf: (error: unknown) => number | undefined;
  /** Returns the page of a status, as HTML. */
  readonly render: (ctx: Context, status: number) => string;
}

/** Creates the middleware that responds to every thrown error with a page, and logs every 5xx. */
export function handleErrors({ log, statusOf, render }: ErrorOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const status = statusOf(error) ?? clientErrorOf(error) ?? 500;
      if (status >= 500) {
        const message = status === 503 ? 'a dependency is unavailable' : 'a request failed';
        log.error({ err: error }, message);
        if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      }
      // The unread rest of a body must not be parsed as the next request.
      if (status === 413) ctx.set('Connection', 'close');
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = render(ctx, status);
    }
  };
}

/** Returns the status of an error that a client has caused. */
function clientErrorOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
