/** Walks every outcome of the sandbox bank in a browser. `npm run proof:checkout` runs this. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { translatorOf } from '../../checkout/text.ts';
import type { TextKey } from '../../checkout/text.ts';
import { CHOICES, SANDBOX_OUTCOMES, isHardDecline } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { LOCALES, tenantOf } from '../../domain/merchant.ts';
import type { Locale } from '../../domain/merchant.ts';
import { localAmount } from '../../domain/money.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { takeEvents } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { openCustomer } from './customer.ts';
import type { Customer } from './customer.ts';

type Choice = (typeof CHOICES)[number] | 'wrong_code';

/** How a payment is after the outcome, and what its customer and merchant are told. */
interface End {
  readonly view: 'completed' | 'failed' | 'form';
  readonly status: PublicPayment['status'];
  readonly text: TextKey;
  readonly code: FailureCode | null;
  readonly events: readonly string[];
}

const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const SHOP = 'https://shop.example';
/** A page that takes longer is loading again. */
const SOON = { timeout: 5_000 };
/** More codes than the bank lets anybody enter. */
const MAX_CODES = 10;

/** The outcomes, the slowest first. */
const OUTCOMES = [...CHOICES, 'wrong_code' as const].toSorted((a, b) => slowness(b) - slowness(a));

function slowness(choice: Choice): number {
  if (choice === 'turn_back' || choice === 'wrong_code') return 0;
  const { says, delayMs } = SANDBOX_OUTCOMES[choice];
  return says.answer === 'none' ? Infinity : delayMs;
}

function endOf(choice: Choice): End {
  const open = { view: 'form', status: 'created' } as const;
  if (choice === 'turn_back') return { ...open, text: 'form.turned_back', code: null, events: [] };
  const says =
    choice === 'wrong_code'
      ? ({ answer: 'declined', code: 'authentication_failed' } as const)
      : SANDBOX_OUTCOMES[choice].says;
  if (says.answer === 'approved') {
    const events = ['payment.completed'];
    return { view: 'completed', status: 'completed', text: 'completed.text', code: null, events };
  }
  // An attempt without an answer is canceled at the bank, even if it approves later.
  const code = says.answer === 'none' ? 'bank_timeout' : says.code;
  if (isHardDecline(code)) {
    const events = ['payment.failed'];
    return { view: 'failed', status: 'failed', text: 'failed.text', code, events };
  }
  return { ...open, text: `failure.${code}`, code, events: ['payment.attempt_failed'] };
}

const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  // Time enough to choose at the bank on a busy machine.
  await openDeployment({ file: 'outcomes', env: { BANK_TIMEOUT_SECONDS: '20' } }),
);
const [browser] = await Promise.all([openBrowser().then(closeAfterTests), deployment.start()]);
const merchant = await deployment.createMerchant(receiver.url);
const received = takeEvents(receiver, merchant.secret);

const figures = { walks: 0, webhooks: 0, returns: 0 };
afterAll(() => console.log('Outcomes in a browser:', figures));
const walked = new Map<string, End>();

/** Returns the receiver's webhooks of a payment, each event once. */
function webhooksOf(id: string): { type: string; status: string }[] {
  const events = received.filter(({ data }) => data.object.id === id);
  const once = new Map(events.map((event) => [event.id, event]));
  return [...once.values()].map(({ type, data }) => ({ type, status: data.object.status }));
}

/** Goes from the card form to the bank, and makes the choice there. */
async function choose(customer: Customer, choice: Choice): Promise<void> {
  const { page } = customer;
  await customer.enterCard();
  const isCode = choice === 'wrong_code' || choice === 'approve_3ds';
  await customer.choose(isCode ? 'approve_3ds' : choice);
  if (!isCode) return;
  await customer.see('code');
  // The bank may ask for the code again.
  for (let left = MAX_CODES; left > 0 && (await viewOf(page)) === 'code'; left -= 1) {
    await page.fill('#code', choice === 'wrong_code' ? '000000' : '123456');
    await Promise.all([page.waitForEvent('load'), page.click('#confirm')]);
  }
}

const viewOf = async (page: Page) => page.getAttribute('main', 'data-view', SOON);

/** Waits for the last page. Asks a silent bank again, as the page offers. */
async function seeEnd({ page }: Customer, end: End['view']): Promise<void> {
  await until(
    async () => {
      // Waiting pages load themselves again, so any of these calls may come too late.
      const view = await viewOf(page).catch(() => null);
      if (view === 'silent') await page.click('#check', SOON).catch(() => undefined);
      return view;
    },
    (view) => view === end,
  );
}

interface Walk {
  readonly choice: Choice;
  readonly locale: Locale;
  readonly screen: keyof typeof SCREENS;
  readonly isScripted: boolean;
}

async function walk({ choice, locale, screen, isScripted }: Walk): Promise<void> {
  const end = endOf(choice);
  const order = `${choice}-${locale}-${screen}-${isScripted}`;
  const created = await merchant.create(order, { locale, return_url: `${SHOP}/${order}` });
  const customer = await openCustomer(browser, SHOP, isScripted);
  const { page } = customer;
  let returns = 0;
  // The finished page stays open, although it returns to the shop.
  await page.route(`${SHOP}/**`, async (route) => {
    returns += 1;
    await route.fulfill({ status: 204 });
  });
  await page.setViewportSize(SCREENS[screen]);
  await page.goto(created.checkout_url);
  await customer.see('form');
  await choose(customer, choice);
  await seeEnd(customer, end.view);
  const amount = localAmount(created.amount, created.currency, locale);
  const sentence = translatorOf(locale)(end.text, { amount });
  const main = (await page.innerText('main')).replaceAll(/\s+/g, ' ');
  expect(main).toContain(sentence.replaceAll(/\s+/g, ' '));
  expect(await page.getAttribute('html', 'lang')).toBe(locale);
  const payment = await merchant.retrieve(created.id);
  expect([payment.status, payment.last_attempt?.failure_code]).toEqual([end.status, end.code]);
  const told = await until(
    () => webhooksOf(created.id),
    ({ length }) => length >= end.events.length,
  );
  expect(told).toEqual(end.events.map((type) => ({ type, status: end.status })));
  if (end.view === 'completed') {
    await until(
      () => returns,
      (count) => count > 0,
    );
  }
  expect(returns > 0).toBe(end.view === 'completed');
  await customer.leave();
  walked.set(created.id, end);
  figures.walks += 1;
  figures.returns += returns > 0 ? 1 : 0;
}

describe.concurrent(
  'every outcome ends with one truth on the page, in the API and by webhook',
  () => {
    const walks = OUTCOMES.flatMap((choice) =>
      LOCALES.flatMap((locale) =>
        (['phone', 'desktop'] as const).flatMap((screen) =>
          [true, false].map((isScripted): Walk => ({ choice, locale, screen, isScripted })),
        ),
      ),
    );
    it.each(walks)('$choice in $locale on a $screen, scripts: $isScripted', walk);
  },
);

describe('afterwards', () => {
  it('no payment has changed, and every event was delivered once', async () => {
    const m = tenantOf(merchant.id, 'test');
    await until(
      async () => deployment.mongo.deliveries.countDocuments({ m, state: 'pending' }),
      (count) => count === 0,
    );
    for (const [id, end] of walked) {
      const { status } = await merchant.retrieve(id);
      const types = (await merchant.events(id)).map(({ type }) => type);
      expect([id, status, types]).toEqual([id, end.status, end.events]);
      expect(webhooksOf(id).map(({ type }) => type)).toEqual(end.events);
    }
    figures.webhooks = received.length;
    const all = [...walked.values()].flatMap(({ events }) => events);
    expect(received).toHaveLength(all.length);
  });
});
