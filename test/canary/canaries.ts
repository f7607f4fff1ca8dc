/** A merchant's day with secrets that must not be stored in the clear. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { MAX_WRONG_CODES } from '../../domain/bank.ts';
import { deriveKey } from '../../store/encryption.ts';
import { makeMerchant } from '../support/merchant.ts';
import type { Merchant } from '../support/merchant.ts';
import { tollgate } from '../support/servers/deployment.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Wanted } from './search.ts';
import { until } from '../support/until.ts';

/** A test card, and an unknown one, because a customer may type a real card. */
export const CARDS = ['3782 822463 10005', '4539 1488 0343 6467'] as const;
/** Numbers that a customer types. They begin with 0, so they match no other numbers in logs. */
export const TYPED = { cvc: '0937', expiry: '02/38', code: '123456', wrongCode: '047193' } as const;

/** Generous, because each wait covers several steps on a busy machine. */
const LIMIT_MS = 120_000;
const UNAVAILABLE = 503;

const word = (): string => randomBytes(12).toString('hex');

/** Texts of merchants, customers and receivers. Only the database may have them. */
export const PRIVATE = {
  'the e-mail address of a customer': `${word()}@customer.example`,
  'a description': `Շապիկ ${word()}`,
  'the query of a return address': word(),
  'the reason of a cancellation': word(),
  'the note of a refund': word(),
  'what a receiver answered': word(),
  'the query of a receiver': word(),
  'an idempotency key': `key-${word()}`,
} as const;

/** Returns the usual notations of the number. */
const cardForms = (card: string): Wanted[] =>
  [card, card.replaceAll(' ', ''), card.replaceAll(' ', '-')].map((text) => ({
    name: `card ${card}`,
    text,
  }));

export interface Planted {
  /** Secrets that must be in no place. */
  readonly secrets: Wanted[];
  /** Texts that may be in the database only. */
  readonly privates: Wanted[];
  /** Texts that must be found, which proves that the search works. */
  readonly visible: Readonly<Record<'orderId' | 'paymentId' | 'deliveryId' | 'merchantId', string>>;
}

export interface Ground {
  readonly deployment: Deployment;
  /** A working receiver, and one that always fails. */
  readonly good: Receiver;
  readonly bad: Receiver;
}

/** Secrets that the command line shows once, before and after a rotation. */
export async function createMerchant({ deployment, good, bad }: Ground) {
  const { env } = deployment;
  const email = `${word()}@merchant.example`;
  const made = await tollgate(env, ['merchant', 'create', '--name', 'Shop', '--email', email]);
  const id = made['merchant_id']!;
  const create = ['endpoint', 'create', '--merchant', id, '--url'];
  const query = PRIVATE['the query of a receiver'];
  const [first, second] = await Promise.all([
    tollgate(env, [...create, `${good.url}?token=${query}`]),
    tollgate(env, [...create, bad.url]),
  ]);
  const endpointId = first['id']!;
  const rotate = ['endpoint', 'rotate-secret', '--id', endpointId, '--overlap', '1h'];
  const [rotated] = await Promise.all([
    tollgate(env, rotate),
    tollgate(env, ['endpoint', 'ping', '--id', second['id']!]),
  ]);
  const keys = await replaceKeys(deployment, id);
  const apiKey = made['test_api_key']!;
  const merchant = makeMerchant({
    id,
    apiUrl: deployment.apiUrl,
    apiKey,
    secret: rotated['secret']!,
  });
  const [key, older] = ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS'].map((name) => {
    const text = env[name]!;
    return { name, text, bytes: Buffer.from(text, 'base64') };
  });
  const secrets: Wanted[] = [
    { name: 'an API key', text: apiKey },
    ...keys,
    { name: 'the dashboard password', text: made['dashboard_password']! },
    signing('a webhook secret that was replaced', first['secret']!),
    signing('a new webhook secret', rotated['secret']!),
    signing('the webhook secret of a failing endpoint', second['secret']!),
    key!,
    older!,
    { name: 'the key of webhook secrets', bytes: deriveKey(key!.bytes, 'webhook secrets') },
    { name: 'the key of bank addresses', bytes: deriveKey(key!.bytes, 'bank addresses') },
  ];
  const privates: Wanted[] = [{ name: 'the e-mail address of a user', text: email }];
  return { merchant, endpointId, secrets, privates };
}

/** Creates, rolls and revokes keys. Returns all of them. */
async function replaceKeys({ env }: Deployment, merchantId: string): Promise<Wanted[]> {
  const of = ['--merchant', merchantId];
  const made = await tollgate(env, ['key', 'create', ...of, '--name', 'Till']);
  const rolled = await tollgate(env, ['key', 'roll', ...of, '--id', made['id']!]);
  await tollgate(env, ['key', 'revoke', ...of, '--id', made['id']!]);
  return [
    { name: 'an API key that was rolled and revoked', text: made['api_key']! },
    { name: 'the API key that replaced it', text: rolled['api_key']! },
  ];
}

/** Returns the secret without its public prefix. */
function signing(name: string, secret: string): Wanted {
  const text = secret.replace('whsec_', '');
  return { name, text, bytes: Buffer.from(text, 'base64') };
}

/** Sends a form, and sends it again if the page asks the customer to. */
async function post(url: string, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(fields);
  return until(
    async () => fetch(url, { method: 'POST', body, redirect: 'manual' }),
    ({ status }) => status !== UNAVAILABLE,
  );
}

/** Sends a request of the merchant, which must succeed. */
async function request(merchant: Merchant, path: string, body: object): Promise<void> {
  const key = word();
  const { status } = await until(
    async () => merchant.call('POST', path, body, key),
    (answer) => answer.status !== UNAVAILABLE,
  );
  assert(status === 200 || status === 201, `${path} responded with ${status}`);
}

/** Plays a customer who mistypes, uses another card and passes 3-D Secure. Returns the bank's URL. */
async function pay(checkout: string, code: string): Promise<string> {
  const { cvc, expiry } = TYPED;
  const refused = await post(`${checkout}/pay`, { card_number: CARDS[1], expiry, cvc });
  assert.equal(refused.status, 422);
  const taken = await post(`${checkout}/pay`, { card_number: CARDS[0], expiry, cvc });
  assert.equal(taken.status, 303);
  const bank = new URL(taken.headers.get('location') ?? '', checkout).href;
  await post(bank, { outcome: 'approve_3ds' });
  await post(`${bank}/code`, { outcome: 'approve_3ds', code });
  for (let count = 0; count < MAX_WRONG_CODES; count += 1) {
    await post(bank, { outcome: 'approve_3ds', code });
  }
  return bank;
}

/** Makes payments, refunds, cancellations and deliveries of every kind. */
export async function spendDay(
  { deployment, good, bad }: Ground,
  hired: Awaited<ReturnType<typeof createMerchant>>,
): Promise<Planted> {
  const { merchant, endpointId, secrets, privates } = hired;
  const answer = PRIVATE['what a receiver answered'];
  const status = { headers: { 'X-Told': answer }, body: answer };
  good.respond = () => ({ status: 200, ...status });
  let turn = 0;
  bad.respond = () =>
    ++turn % 3 === 0 ? 'silence' : turn % 3 === 1 ? 'reset' : { status: 500, ...status };

  const orderId = `order-${word()}`;
  const fields = {
    order_id: orderId,
    description: PRIVATE['a description'],
    return_url: `https://shop.example/?q=${PRIVATE['the query of a return address']}`,
    metadata: { customer: PRIVATE['the e-mail address of a customer'] },
  };
  const payment = await merchant.create(PRIVATE['an idempotency key'], fields);
  const [declined, canceled] = await Promise.all([
    merchant.create('declined'),
    merchant.create('canceled'),
  ]);
  const [bank] = await Promise.all([
    pay(payment.checkout_url, TYPED.code),
    pay(declined.checkout_url, TYPED.wrongCode),
    request(merchant, `/v1/payments/${canceled.id}/cancel`, {
      reason: PRIVATE['the reason of a cancellation'],
    }),
  ]);
  await until(
    async () => (await merchant.retrieve(payment.id)).status,
    (now) => now === 'completed',
    LIMIT_MS,
  );
  const note = PRIVATE['the note of a refund'];
  const refund = { payment_id: payment.id, amount: 500, description: note };
  await request(merchant, '/v1/refunds', refund);

  const sent = async () =>
    deployment.mongo.deliveries.findOne({ endpoint_id: endpointId, state: 'succeeded' });
  const delivery = (await until(sent, Boolean, LIMIT_MS))!;
  await Promise.all([
    tollgate(deployment.env, ['resend', '--id', delivery._id]),
    tollgate(deployment.env, ['replay', 'start', '--endpoint', endpointId, '--since', '1h']),
  ]);
  const ended = async () => deployment.mongo.deliveries.countDocuments({ state: 'pending' });
  await until(ended, (count) => count === 0, LIMIT_MS);

  const token = new URL(payment.checkout_url).pathname.split('/').at(-1)!;
  const signature = new URL(bank).pathname.split('/').at(-1)!;
  return {
    secrets: [
      ...secrets,
      ...CARDS.flatMap(cardForms),
      { name: "a bank page's signature", text: signature },
    ],
    privates: [
      ...privates,
      ...Object.entries(PRIVATE).map(([name, text]) => ({ name, text })),
      { name: 'the token of a checkout page', text: token },
    ],
    visible: { orderId, paymentId: payment.id, deliveryId: delivery._id, merchantId: merchant.id },
  };
}
