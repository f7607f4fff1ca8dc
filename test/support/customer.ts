/** A customer without a browser: follows the pages' forms by plain HTTP. */
import { strict as assert } from 'node:assert';
import type { PublicPayment } from '../../domain/wire.ts';
import { until } from './until.ts';

type At = Pick<PublicPayment, 'checkout_url'>;

export const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' };
const PATIENCE_MS = 20_000;
/** The page then says: please try again in a moment. */
const UNAVAILABLE = 503;
const INSISTENCE_MS = 60_000;

/**
 * Sends a form, again when the page asks for that, and answers where it leads to, as a whole
 * address. Throws when it leads nowhere.
 */
async function post(url: string, fields: Record<string, string>): Promise<string> {
  const send = async () =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  const answer = await until(send, ({ status }) => status !== UNAVAILABLE, INSISTENCE_MS);
  assert.equal(answer.status, 303, `POST ${url} was answered ${answer.status}`);
  return new URL(answer.headers.get('location') ?? '', url).href;
}

/** Enters the card; answers the bank's address. */
export async function enterCard({ checkout_url: url }: At): Promise<string> {
  const bank = await post(`${url}/pay`, CARD);
  assert.match(bank, /\/bank\//);
  return bank;
}

/** Chooses an outcome at the bank, with the right code where one is asked for. */
export async function chooseOutcome(bank: string, outcome: string): Promise<void> {
  const next = await post(bank, { outcome });
  if (next.endsWith('/code')) await post(bank, { outcome, code: '123456' });
}

/** Types a wrong 3-D Secure code. */
export async function typeWrongCode(bank: string): Promise<void> {
  await post(bank, { outcome: 'approve_3ds', code: '000000' });
}

/** From the card to the bank's answer. */
export async function payAs(payment: At, outcome: string): Promise<void> {
  await chooseOutcome(await enterCard(payment), outcome);
}

export async function cancelAsCustomer({ checkout_url: url }: At): Promise<void> {
  await post(`${url}/cancel`, {});
}

/** Looks at the checkout and, where it offers that, has it ask the bank; answers what is shown. */
export async function lookAgain({ checkout_url: url }: At): Promise<string> {
  const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const { view } = (await answer.json()) as { view: string };
  if (view === 'silent') await post(`${url}/check`, {});
  return view;
}
