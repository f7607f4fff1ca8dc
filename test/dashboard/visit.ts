/** The addresses of all pages, and a real browser in which an owner visits them. */
import type { Page } from 'playwright-core';
import { ROUTES } from '../../dashboard/routes.ts';
import type { Locale } from '../../domain/merchant.ts';
import type { Mongo } from '../../store/mongo.ts';
import { updateUser } from '../../store/users.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { openGround } from './harness.ts';
import { seed } from './seed.ts';
import type { Seed } from './seed.ts';

/** The object that the parameter after each path names. */
const OBJECTS: Readonly<Record<string, keyof Seed['ids']>> = {
  '/invite': 'invite',
  '/reset': 'reset',
  '/developers/requests': 'request',
  '/payments': 'payment',
  '/webhooks': 'endpoint',
  '/deliveries': 'delivery',
  '/replays': 'replay',
  '/developers/events': 'event',
  '/developers/payments': 'payment',
};

/** Queries of pages that need one. */
const QUERIES: Readonly<Record<string, string>> = {
  '/payments/:id/refund/check': '?amount=100&refundable=106000&reason=',
};

/** Addresses that are no pages of their own, with the reason. */
export const NO_PAGES: Readonly<Record<string, string>> = {
  '/payments/refunds/:id': 'leads to the refund on its payment',
  '/developers': 'leads to the list of requests',
  '/sign-in/code': 'leads to the sign-in page before a right password',
  '/settings/logo/:id': 'a picture',
  '/exports/payments.csv': 'a download',
  '/exports/refunds.csv': 'a download',
  '/exports/deliveries.csv': 'a download',
};

export interface PageAddress {
  /** The path of the route. */
  readonly route: string;
  /** The address with ids in place of parameters. */
  readonly address: string;
}

/** Returns the routes of all pages. */
export function pageRoutes(): string[] {
  const pages = ROUTES.filter(({ kind }) => kind === 'page' || kind === 'open-page');
  return pages.map(({ path }) => path).filter((path) => !Object.hasOwn(NO_PAGES, path));
}

/** Returns the address of a page. Throws for a parameter whose object is unknown. */
export function addressOf(route: string, ids: Seed['ids']): string {
  const filled = route.replace(/^(.*?)\/:\w+/, (_, before: string) => {
    const object = OBJECTS[before];
    if (!object) throw new Error(`${route}: seed its object, and add it to OBJECTS.`);
    return `${before}/${ids[object]}`;
  });
  if (filled.includes(':')) throw new Error(`${route} has two parameters: extend addressOf.`);
  return filled + (QUERIES[route] ?? '');
}

export interface Visit {
  readonly page: Page;
  readonly mongo: Mongo;
  readonly url: string;
  readonly ids: Seed['ids'];
  /** Messages and requests that the browser reported since the last page was opened. */
  readonly complaints: string[];
  readonly requested: string[];
  /** Opens an address in that language. Returns the status of its response. */
  readonly open: (address: string, locale?: Locale) => Promise<number>;
}

/** Serves a seeded dashboard, and opens a browser in which an owner is signed in. */
export async function openVisit(file: string): Promise<Visit> {
  const [ground, browser] = await Promise.all([
    openGround(file, { sealer }),
    openBrowser().then(closeAfterTests),
  ]);
  const { mongo, url } = ground;
  const { owner, ids } = await seed(ground);
  const context = await browser.newContext();
  const cookies = [...owner.cookies].map(([name, value]) => ({ name, value, url }));
  await context.addCookies(cookies);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => requested.push(request.url()));
  let shown: Locale | undefined;
  return {
    page,
    mongo,
    url,
    ids,
    complaints,
    requested,
    async open(address, locale = 'en') {
      if (shown !== locale) {
        await updateUser(mongo, owner.user, { locale });
        await context.setExtraHTTPHeaders({ 'Accept-Language': locale });
        shown = locale;
      }
      // The page before may be loading its live part again.
      await page.goto('about:blank');
      complaints.length = 0;
      requested.length = 0;
      const response = await page.goto(url + address);
      return response?.status() ?? 0;
    },
  };
}
