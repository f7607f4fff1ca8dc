/** A customer in a browser context of their own. */
import { expect } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A page that takes longer to show a view is broken, even on a busy machine. */
const PAGE_LIMIT_MS = 100_000;

export interface Customer {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Waits for a view of the checkout or the bank. */
  see(view: string): Promise<unknown>;
  /** Waits for the page of a finished payment, or for the shop if a slow test misses that page. */
  seeEnd(status: 'completed' | 'canceled'): Promise<unknown>;
  /** Clicks the link to the shop, unless the automatic return comes first. */
  returnToShop(): Promise<void>;
  /** Presses the shop's first Buy button. Returns the id of the order. */
  buy(): Promise<string>;
  fillCard(number?: string): Promise<void>;
  /** Fills in the card and goes to the bank. */
  enterCard(number?: string): Promise<void>;
  /** Chooses an outcome at the bank. */
  choose(outcome: string): Promise<void>;
  /** Closes the context. Fails if a script threw or the security policy blocked anything. */
  leave(): Promise<void>;
}

/** Opens a browser context for a customer of the shop at `shopUrl`. */
export async function openCustomer(
  browser: Browser,
  shopUrl: string,
  javaScriptEnabled = true,
): Promise<Customer> {
  const context = await browser.newContext({ javaScriptEnabled });
  context.setDefaultTimeout(PAGE_LIMIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  const self: Customer = {
    context,
    page,
    see: async (view) => page.waitForSelector(`[data-view="${view}"]`),
    async seeEnd(status) {
      const badge = status === 'completed' ? 'paid' : status;
      await page.waitForSelector(`[data-view="${status}"], .badge.${badge}`);
    },
    async returnToShop() {
      await Promise.race([page.click('#return'), page.waitForURL(`${shopUrl}/orders/*`)]);
    },
    async buy() {
      await page.goto(shopUrl);
      await page.locator('form button').first().click();
      await self.see('form');
      return (await page.textContent('#order')) ?? '';
    },
    async fillCard(number = '4242 4242 4242 4242') {
      await page.fill('#card_number', number);
      await page.fill('#expiry', '12/34');
      await page.fill('#cvc', '123');
    },
    async enterCard(number) {
      await self.fillCard(number);
      await page.click('#pay');
      await self.see('bank');
    },
    async choose(outcome) {
      await page.check(`#outcome-${outcome}`);
      await page.click('#decide');
    },
    async leave() {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
  return self;
}
