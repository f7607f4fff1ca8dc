/** The headers of every page of the checkout and the bank. `tollgate verify-page` expects them. */
import type { Middleware } from 'koa';
import { secureHeaders } from '../http/pages.ts';
import { REPORTS_PATH } from './reports.ts';

/** Creates the middleware that sets them. Takes the public address of the checkout. */
export function checkoutHeaders(checkoutUrl: string): Middleware {
  const { protocol, pathname } = new URL(checkoutUrl);
  return secureHeaders({
    isTls: protocol === 'https:',
    referrerPolicy: 'no-referrer',
    reports: pathname.replace(/\/$/, '') + REPORTS_PATH,
  });
}
