/** A customer without a browser, who submits the forms of the pages by plain HTTP. */
import { strict as assert } from 'node:assert';
import { MAX_WRONG_CODES } from '../../domain/bank.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { untilAccepted } from './retry.ts';
import { HANG_MS } from './merchant.ts';

type Checkout = Pick<PublicPayment, 'checkout_url'>;

export const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' };

/**
 * Submits a form, and retries while the page is unavailable. Returns the URL of the redirect, and
 * throws if there is none.
 */
async function post(url: string, fields: Record<string, string>): Promise<string> {
  const response = await untilAccepted(async () =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.timeout(HANG_MS),
    }),
  );
  assert.equal(response.status, 303, `POST ${url} returned ${response.status}`);
  return new URL(response.headers.get('location') ?? '', url).href;
}

/** Enters the card. Returns the URL of the bank's page. */
export async function enterCard({ checkout_url: url }: Checkout): Promise<string> {
  const bank = await post(`${url}/pay`, CARD);
  assert.match(bank, /\/bank\//);
  return bank;
}

/** Chooses a bank transfer. Returns the URL of the sandbox bank's page, which the details link to. */
export async function chooseTransfer({ checkout_url: url }: Checkout): Promise<string> {
  const details = await post(`${url}/pay?method=bank_transfer`, {});
  const page = await fetch(details, { signal: AbortSignal.timeout(HANG_MS) });
  const [, bank = ''] = /href="([^"]*)" id="sandbox"/.exec(await page.text()) ?? [];
  assert.match(bank, /\/bank\//);
  return new URL(bank, details).href;
}

/** Chooses an outcome at the bank, and enters the right 3-D Secure code if the bank wants one. */
export async function chooseOutcome(bank: string, outcome: string): Promise<void> {
  const next = await post(bank, { outcome });
  if (next.endsWith('/code')) await post(bank, { outcome, code: '123456' });
}

/** Enters wrong 3-D Secure codes until the bank declines. */
export async function enterWrongCodes(bank: string): Promise<void> {
  for (let count = 0; count < MAX_WRONG_CODES; count += 1) {
    await post(bank, { outcome: 'approve_3ds', code: '000000' });
  }
}

/** Enters the card and chooses an outcome at the bank. */
export async function payWithOutcome(payment: Checkout, outcome: string): Promise<void> {
  await chooseOutcome(await enterCard(payment), outcome);
}

export async function cancelAsCustomer({ checkout_url: url }: Checkout): Promise<void> {
  await post(`${url}/cancel`, {});
}

/** Returns the current view of the checkout. Has the service query a silent bank. */
export async function refreshCheckout({ checkout_url: url }: Checkout): Promise<string> {
  const response = await fetch(`${url}/status`, { signal: AbortSignal.timeout(HANG_MS) });
  const { view } = (await response.json()) as { view: string };
  if (view === 'silent') await post(`${url}/check`, {});
  return view;
}
