/**
 * Takes browsers' reports that a page violated its security policy. The sender may be an enemy, so
 * a report costs little: no query, and few lines of the log.
 */
import type { Context, Middleware } from 'koa';
import rawBody from 'raw-body';
import { publish } from '../facts.ts';
import { makeCounter, senderOf } from '../http/sender.ts';
import { readViolations } from '../http/violation.ts';
import type { Violation } from '../http/violation.ts';
import type { Log } from '../log.ts';

export const REPORTS_PATH = '/csp-reports';

const TYPES = ['application/csp-report', 'application/reports+json', 'application/json'];
/** Several reports together. A browser drops what is refused, and so do we. */
const BODY_LIMIT_BYTES = 16 * 1024;
/** The requests of one sender that are read, and of all. A page that is in order causes none. */
const SENDER_RATE = { perSecond: 0.5, burst: 15 };
const TOTAL_RATE = { perSecond: 10, burst: 100 };
const MINUTE_MS = 60_000;
/** The most lines of the log in a minute. The metric counts all that are read. */
const MAX_LINES = 30;

/** Creates the middleware. It responds to every report with 204, also to those that it drops. */
export function takeReports(log: Log): Middleware {
  const countSender = makeCounter(SENDER_RATE);
  const countAll = makeCounter(TOTAL_RATE);
  const isNew = makeNovelty();
  return async (ctx, next) => {
    if (ctx.path !== REPORTS_PATH || ctx.method !== 'POST') return next();
    ctx['_matchedRoute'] = REPORTS_PATH;
    ctx.status = 204;
    const isOver =
      (await countSender(senderOf(ctx.ip))).isOver || (await countAll('everybody')).isOver;
    for (const violation of isOver ? [] : readViolations(await readBody(ctx))) {
      publish('violation', { directive: violation.directive });
      if (isNew(violation)) log.warn(violation, 'a page violated its security policy');
    }
  };
}

/** Returns the body, or '' if it is of another type, too long or incomplete. */
async function readBody(ctx: Context): Promise<string> {
  const length = ctx.get('Content-Length');
  const coding = ctx.get('Content-Encoding') || 'identity';
  if (!ctx.is(TYPES) || coding !== 'identity') return '';
  const options = { ...(length && { length }), limit: BODY_LIMIT_BYTES, encoding: 'utf8' };
  try {
    return await rawBody(ctx.req, options);
  } catch {
    // The unread rest must not be parsed as the next request.
    ctx.set('Connection', 'close');
    return '';
  }
}

/** Returns a function that returns true once a minute for each directive and blocked origin. */
function makeNovelty(): (violation: Violation) => boolean {
  const seen = new Set<string>();
  let minute = 0;
  return ({ directive, blocked }) => {
    const now = Math.floor(Date.now() / MINUTE_MS);
    if (now !== minute) seen.clear();
    minute = now;
    const key = `${directive} ${blocked}`;
    if (seen.has(key) || seen.size >= MAX_LINES) return false;
    seen.add(key);
    return true;
  };
}
