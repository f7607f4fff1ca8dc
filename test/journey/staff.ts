/** A person of a merchant's staff in a browser, at the dashboard. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { parseCsv, rowsOf } from '../dashboard/exports/download.ts';

/** A page that takes longer is broken, even on a busy machine. */
const PAGE_LIMIT_MS = 100_000;
/** More pages than a merchant with a few payments has. */
const MAX_PAGES = 400;

const FIGURES = ['created', 'completed_count', 'completed', 'refunded_count', 'refunded'];

export interface Staff {
  readonly page: Page;
  /** Opens a page of the dashboard. */
  open(path: string): Promise<void>;
  /** Fills in fields by their ids, and presses the button of that selector. */
  submit(fields: Readonly<Record<string, string>>, button: string): Promise<void>;
  /** Waits until the page shows the text in that part, by itself. */
  see(part: string, text: string): Promise<void>;
  /** Returns the text of a part of the page. */
  read(part: string): Promise<string>;
  /** Waits until the payment's timeline has an entry at each of these times. */
  seeTimes(times: readonly (string | null)[]): Promise<void>;
  /** Opens the overview. Returns the figures of the last 30 days: today may end during a test. */
  figures(): Promise<string[]>;
  /** Returns the rows of the file that a click on the link or button downloads. */
  download(button: string): Promise<Record<string, string>[]>;
  /** Returns all pages and files that links lead to, by their addresses. */
  crawl(): Promise<Map<string, Buffer>>;
  /** Closes the browser's context. Fails if a script threw or the policy blocked anything. */
  leave(): Promise<void>;
}

/** Opens a browser context for the dashboard at `url`. */
export async function openStaff(browser: Browser, url: string): Promise<Staff> {
  const context = await browser.newContext({ locale: 'en', acceptDownloads: true });
  context.setDefaultTimeout(PAGE_LIMIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  const self: Staff = {
    page,
    open: async (path) => void (await page.goto(url + path)),
    async submit(fields, button) {
      for (const [id, value] of Object.entries(fields)) await page.fill(`#main #${id}`, value);
      await page.click(`#main ${button}`);
    },
    see: async (part, text) => page.locator(part, { hasText: text }).first().waitFor(),
    read: async (part) => (await page.locator(part).first().innerText()).trim(),
    async seeTimes(times) {
      for (const time of times) await page.waitForSelector(`#timeline time[datetime="${time}"]`);
    },
    async figures() {
      await self.open('/');
      const texts = FIGURES.map(async (name) =>
        page.locator(`[id="overview.${name}"] :is(td, dd b)`).last().innerText(),
      );
      return (await Promise.all(texts)).map((text) => text.trim());
    },
    async download(button) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      return rowsOf(parseCsv(await readFile(await download.path())));
    },
    async crawl() {
      const seen = new Map<string, Buffer>();
      const ahead = ['/'];
      for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
        if (seen.has(path)) continue;
        if (seen.size === MAX_PAGES) throw new Error('There are too many pages.');
        const response = await context.request.get(url + path);
        expect([path, response.status()]).toEqual([path, 200]);
        const body = await response.body();
        seen.set(path, body);
        ahead.push(...linksIn(body.toString()));
      }
      return seen;
    },
    async leave() {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
  return self;
}

/** Returns the addresses of the page's links to other pages of the dashboard. */
function linksIn(html: string): string[] {
  const found = [...html.matchAll(/<a [^>]*href="(\/(?!\/)[^"#]*)/g)];
  return found.map(([, path = '']) => path.replaceAll('&amp;', '&'));
}
