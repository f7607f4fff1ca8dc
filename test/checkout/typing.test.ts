/** The scripts of the card form and of the page after it, in a real browser. */
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { makePayment } from '../support/rows/payment.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { openBench, paymentIn } from './harness.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const bench = closeAfterTests(await openBench('typing'));
const browser = closeAfterTests(await openBrowser());

/** Opens the form of a payment in a page of its own, and fails if a script throws. */
const form = it.extend<{ page: Page }>({
  // Vitest reads the names of the used fixtures from this pattern.
  // oxlint-disable-next-line no-empty-pattern
  page: async ({}, use) => {
    const { checkout_token: token } = await bench.put(makePayment());
    const context = await browser.newContext({ timezoneId: 'Asia/Yerevan' });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${bench.origin}/c/${token}`);
    await use(page);
    await context.close();
    expect(errors).toEqual([]);
  },
});

/** Presses each key in turn. A digit or a slash is a key of its own name. */
const press = async (page: Page, keys: string) => {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
};

/** Returns the text of a field with `|` at the caret. */
const read = async (page: Page, id: string) =>
  page.$eval(`#${id}`, (field) => {
    const { value, selectionStart } = field as HTMLInputElement;
    return `${value.slice(0, selectionStart!)}|${value.slice(selectionStart!)}`;
  });

/** Inserts a text as browsers do it on paste. */
const paste = async (page: Page, id: string, text: string) =>
  page.$eval(
    `#${id}`,
    (field, pasted) => {
      (field as HTMLInputElement).focus();
      (field as HTMLInputElement).select();
      document.execCommand('insertText', false, pasted);
    },
    text,
  );

const timeLeft = (time: string) => `Time left to pay: ${time}`;

describe('the card number', () => {
  form('is grouped while it is typed, and its brand is named', async ({ page }) => {
    await page.type('#card_number', '4242424242424242');
    expect(await read(page, 'card_number')).toBe('4242 4242 4242 4242|');
    expect(await page.textContent('#brand')).toBe('Visa');
    expect(await page.getAttribute('#cvc', 'maxlength')).toBe('3');
    await page.fill('#card_number', '');
    expect(await page.textContent('#brand')).toBe('');
    await page.type('#card_number', '3782822463100059');
    expect(await read(page, 'card_number')).toBe('3782 822463 10005|');
    expect(await page.textContent('#brand')).toBe('American Express');
    expect(await page.getAttribute('#cvc', 'maxlength')).toBe('4');
  });

  form('keeps the caret where a digit is typed or deleted', async ({ page }) => {
    await page.type('#card_number', '4242424242424242');
    await press(page, 'Home ArrowRight ArrowRight');
    await press(page, 'Delete Delete');
    expect(await read(page, 'card_number')).toBe('42|42 4242 4242 42');
    await press(page, '1 2');
    expect(await read(page, 'card_number')).toBe('4212 |4242 4242 4242');
    await press(page, 'Backspace');
    expect(await read(page, 'card_number')).toBe('421|4 2424 2424 242');
    await press(page, 'ArrowRight Delete');
    expect(await read(page, 'card_number')).toBe('4214| 4242 4242 42');
  });

  form('loses no digit when one more is typed in its middle', async ({ page }) => {
    await page.type('#card_number', '5555555555554444');
    await press(page, 'Home ArrowRight 3');
    expect(await read(page, 'card_number')).toBe('5|555 5555 5555 4444');
  });

  form('may be pasted with spaces, hyphens and more', async ({ page }) => {
    for (const text of [
      '4242 4242 4242 4242',
      '  4242 - 4242 - 4242 - 4242\t',
      '4242424242424242',
    ]) {
      await paste(page, 'card_number', text);
      expect(await read(page, 'card_number')).toBe('4242 4242 4242 4242|');
    }
  });
});

describe('the expiry date', () => {
  form('gets its slash and its zero by themselves, and gives them back', async ({ page }) => {
    const cases = [
      ['1 2 3 0', '12/30|'],
      ['1 2 / 3 0', '12/30|'],
      ['1 / 3 0', '01/30|'],
      ['3 3 0', '03/30|'],
      ['1 2 2 0 3 0', '12/2030|'],
      ['1 2', '12/|'],
      ['1 2 Backspace', '1|'],
      ['1 2 3 Backspace Backspace', '1|'],
      ['1 2 3 Backspace 4 5', '12/45|'],
      ['1 2 3 0 Home Delete 0', '0|2/30'],
      ['1 2 3 0 ArrowLeft ArrowLeft Backspace 1', '11/|30'],
    ] as const;
    for (const [keys, shown] of cases) {
      await page.fill('#expiry', '');
      await press(page, keys);
      expect([keys, await read(page, 'expiry')]).toEqual([keys, shown]);
    }
  });

  form('may be filled in by the browser in its own forms', async ({ page }) => {
    for (const [text, shown] of [
      ['12 / 2030', '12/2030'],
      ['2030-12', '12/2030'],
      ['1/30', '01/30'],
      ['1230', '12/30'],
    ] as const) {
      await page.fill('#expiry', text);
      expect(await page.inputValue('#expiry')).toBe(shown);
    }
  });
});

describe('the page of a paid payment', () => {
  it('returns to the shop after 20 seconds, and its receipt stays', async () => {
    const url = 'https://shop.example/back';
    const { checkout_token: token } = await bench.put(paymentIn('completed', { return_url: url }));
    const context = await browser.newContext();
    await context.route(url, async (route) => route.fulfill({ body: 'the shop' }));
    const page = await context.newPage();
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(MINUTE_MS);
    for (const path of [`/c/${token}/receipt`, `/c/${token}`]) {
      await page.goto(bench.origin + path);
      await page.clock.runFor(20 * SECOND_MS - 1);
      expect(page.url()).toBe(bench.origin + path);
      if (path.endsWith('receipt')) await page.clock.runFor(MINUTE_MS);
    }
    await page.clock.runFor(1);
    await page.waitForURL(url);
    await context.close();
  });
});

describe('the time to pay', () => {
  it('is counted down in the last ten minutes, announced three times, and ends', async () => {
    const expiresAt = new Date(Date.now() + 12 * MINUTE_MS);
    const { checkout_token: token } = await bench.put(makePayment({ expires_at: expiresAt }));
    const context = await browser.newContext({ timezoneId: 'Asia/Yerevan' });
    const page = await context.newPage();
    // The clock of the page stands still unless the test moves it.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(MINUTE_MS);
    await page.goto(`${bench.origin}/c/${token}`);
    const shown = async () => [
      await page.textContent('#time-left'),
      await page.textContent('#time-announced'),
    ];
    const leftMs = Number(await page.getAttribute('#time-left', 'data-left-ms'));
    expect((await shown())[1]).toBe('');
    await page.clock.runFor(leftMs - 10 * MINUTE_MS - SECOND_MS);
    expect(await shown()).toEqual([timeLeft('10 minutes'), '']);
    await page.clock.runFor(SECOND_MS);
    expect(await shown()).toEqual([timeLeft('10:00'), timeLeft('10 minutes')]);
    await page.clock.runFor(5 * MINUTE_MS - SECOND_MS);
    expect(await shown()).toEqual([timeLeft('5:01'), timeLeft('10 minutes')]);
    await page.clock.runFor(SECOND_MS);
    expect(await shown()).toEqual([timeLeft('5:00'), timeLeft('5 minutes')]);
    await page.clock.runFor(4 * MINUTE_MS);
    expect(await shown()).toEqual([timeLeft('1:00'), timeLeft('1 minute')]);
    const filter = { checkout_token: token };
    await bench.mongo.payments.updateOne(filter, { $set: { expires_at: new Date(0) } });
    await page.clock.runFor(MINUTE_MS);
    expect(await shown()).toEqual([timeLeft('0:00'), timeLeft('1 minute')]);
    await page.clock.runFor(SECOND_MS);
    await page.waitForSelector('[data-view="expired"]');
    await context.close();
  });

  form(
    'is in the zone of the browser, and has no English words where Chromium lacks the language',
    async ({ page }) => {
      expect(await page.textContent('#pay-by')).toMatch(/ GMT\+4$/);
      expect(await page.getAttribute('#pay-by', 'title')).toMatch(/ UTC$/);
      await page.click('[lang="hy"][hreflang]');
      expect(await page.textContent('#pay-by')).toMatch(/^\d+\.\d\d\.\d{4}, \d\d:\d\d GMT\+4$/);
      expect(await page.textContent('#time-left')).toMatch(/^Վճարելու համար մնացել է \d+ րոպե$/);
    },
  );
});
