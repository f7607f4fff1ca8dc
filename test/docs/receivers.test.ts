import { readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';
import { eventBody } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import type { Payment } from '../../domain/payment.ts';
import { publicPayment } from '../../domain/wire.ts';
import { mintId } from '../../store/mint.ts';
import { LINKS, putPayment, openStand } from '../api/harness.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { until } from '../support/until.ts';
import { RECEIVERS, isRunnable, openShop, startReceiver } from './shop.ts';
import type { RunningReceiver } from './shop.ts';

const OLD_SECRET = makeWebhookSecret();
const SECRET = makeWebhookSecret();
const STRANGERS_SECRET = makeWebhookSecret();
/** Above and below the tolerance of 300 s, with a margin for a slow machine. */
const TOO_FAR_SECONDS = 330;
const NEAR_SECONDS = 240;

const stand = await openStand('receivers');
const shop = closeAfterTests(await openShop());
const runnable = RECEIVERS.filter(isRunnable);

interface Delivery {
  id: string;
  body: string;
}

function deliveryOf(payment: Payment, type: EventType = 'payment.completed'): Delivery {
  const id = mintId('event');
  const object = publicPayment(payment, LINKS);
  const about = { livemode: false, object, request: null };
  return { id, body: eventBody({ id, type, createdAt: new Date(), ...about }) };
}

interface SendOptions {
  secrets?: readonly string[];
  /** Seconds from now to the time of the signature. */
  shiftSeconds?: number;
  /** The body to send instead of the signed one. */
  tampered?: string;
}

async function send(receiver: RunningReceiver, delivery: Delivery, options: SendOptions = {}) {
  const { secrets = [SECRET], shiftSeconds = 0, tampered = delivery.body } = options;
  const timestamp = Math.floor(Date.now() / 1000) + shiftSeconds;
  const signed = signatureHeaders({ ...delivery, timestamp }, secrets);
  return post(receiver, tampered, signed);
}

async function post(receiver: RunningReceiver, body: string, headers: Record<string, string>) {
  const response = await fetch(receiver.url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Stores a payment that is paid. */
const paid = async (orderId: string): Promise<Payment> =>
  putPayment(stand, { status: 'completed', order_id: orderId });

const environment = async (secrets: string) => ({
  TOLLGATE_API_URL: stand.api.url,
  TOLLGATE_API_KEY: stand.tenant.secret,
  TOLLGATE_WEBHOOK_SECRET: secrets,
  TOLLGATE_HANDLED_DIR: await mkdtemp(path.join(shop.folder, 'handled-')),
});

const countOf = (receiver: RunningReceiver, orderId: string): number =>
  receiver.printed().split(`paid: ${orderId}\n`).length - 1;

async function expectPaidOnce(receiver: RunningReceiver, orderId: string): Promise<void> {
  await until(() => countOf(receiver, orderId), Boolean);
  expect(countOf(receiver, orderId)).toBe(1);
}

describe('docs/receivers', () => {
  it('has no file that is not tested here', () => {
    const files = readdirSync(path.join(PROJECT, 'docs', 'receivers'));
    expect(RECEIVERS.toSorted()).toEqual(files.toSorted());
  });
});

describe.each(runnable)('%s', (file) => {
  let receiver: RunningReceiver;
  beforeAll(async () => {
    receiver = await startReceiver(shop.folder, file, await environment(`${OLD_SECRET},${SECRET}`));
  });
  afterAll(async () => receiver.stop());

  it('accepts a genuine event, retrieves the payment, and handles a repeated event once', async () => {
    const delivery = deliveryOf(await paid('order-once'));
    expect(await send(receiver, delivery)).toBe(200);
    expect(await send(receiver, delivery)).toBe(200);
    await expectPaidOnce(receiver, 'order-once');
  });

  it('refuses a body with one character changed', async () => {
    const delivery = deliveryOf(await paid('order-tampered'));
    const tampered = delivery.body.replace('"amount":12500', '"amount":12501');
    expect(tampered).not.toBe(delivery.body);
    expect(await send(receiver, delivery, { tampered })).toBe(400);
    expect(await send(receiver, delivery, { tampered: `${delivery.body}\n` })).toBe(400);
    expect(await send(receiver, delivery, { tampered: '' })).toBe(400);
  });

  it("refuses a stranger's signature, a malformed one and a missing one", async () => {
    const delivery = deliveryOf(await paid('order-stranger'));
    expect(await send(receiver, delivery, { secrets: [STRANGERS_SECRET] })).toBe(400);
    expect(await post(receiver, delivery.body, {})).toBe(400);
    const headers = { 'Service-Timestamp': 'now', 'Service-Signature': 'v1=,v1,' };
    expect(await post(receiver, delivery.body, headers)).toBe(400);
    expect(countOf(receiver, 'order-stranger')).toBe(0);
  });

  it.each([
    ['old', -1],
    ['new', 1],
  ])(
    'refuses a signature that is too %s, and accepts one within the tolerance',
    async (_, sign) => {
      const delivery = deliveryOf(await paid(`order-clock${sign}`));
      expect(await send(receiver, delivery, { shiftSeconds: sign * TOO_FAR_SECONDS })).toBe(400);
      expect(await send(receiver, delivery, { shiftSeconds: sign * NEAR_SECONDS })).toBe(200);
    },
  );

  it.each([
    ['a new secret beside an unknown one', [STRANGERS_SECRET, SECRET]],
    ['an unknown secret after the new one', [SECRET, STRANGERS_SECRET]],
    ['the old secret alone', [OLD_SECRET]],
  ])('accepts a request signed with %s', async (_, secrets) => {
    expect(await send(receiver, deliveryOf(await paid('order-rotated')), { secrets })).toBe(200);
  });

  it('verifies the bytes, however the JSON is formatted', async () => {
    const { id, body } = deliveryOf(await paid('order-bytes'));
    const spread = JSON.stringify(JSON.parse(body), undefined, 3)
      .replace('"payment.completed"', String.raw`"payment\u002ecompleted"`)
      .replace('12500,', '12500.0,');
    expect(await send(receiver, { id, body: ` ${spread}\r\n` })).toBe(200);
    await expectPaidOnce(receiver, 'order-bytes');
  });

  it('accepts text in any script', async () => {
    expect(await send(receiver, deliveryOf(await paid('Պատվեր № 17 🍑')))).toBe(200);
    await expectPaidOnce(receiver, 'Պատվեր № 17 🍑');
  });

  it('acknowledges events that it does not use', async () => {
    const payment = makePayment({ order_id: 'order-other' });
    expect(await send(receiver, deliveryOf(payment, 'payment.attempt_failed'))).toBe(200);
    expect(await send(receiver, deliveryOf(payment, 'webhook_endpoint.ping'))).toBe(200);
    expect(countOf(receiver, 'order-other')).toBe(0);
  });

  it('responds with 500 if it cannot retrieve the payment, and succeeds later', async () => {
    const row = makePayment({ status: 'completed', order_id: 'order-late' });
    const delivery = deliveryOf(row);
    expect(await send(receiver, delivery)).toBe(500);
    const { merchantId, m: tenant } = stand.tenant;
    await putPayment(stand, { ...row, merchant_id: merchantId, m: tenant });
    expect(await send(receiver, delivery)).toBe(200);
    await expectPaidOnce(receiver, 'order-late');
  });

  it('responds with 500 if the payment is not paid, even if the event says so', async () => {
    const payment = await putPayment(stand, { order_id: 'order-unpaid' });
    const delivery = deliveryOf({ ...payment, status: 'completed' });
    expect(await send(receiver, delivery)).toBe(500);
    expect(countOf(receiver, 'order-unpaid')).toBe(0);
  });
});
