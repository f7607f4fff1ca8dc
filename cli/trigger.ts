/** `tollgate trigger`: makes an event of a type really happen, through the API in test mode. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES } from '../domain/event.ts';
import type { EventType } from '../domain/event.ts';
import { REFUND_TEST_KEY } from '../domain/refund.ts';
import type { RefundTestOutcome } from '../domain/refund.ts';
import type { CurrencyCode, Event, Payment, PaymentCreate } from '../sdk/objects.ts';
import type { TestOutcome } from '../sdk/objects.ts';
import { openAccess, requireTestKey } from './access.ts';
import type { Access, AccessOptions } from './access.ts';
import { Refusal } from '../operations/refusal.ts';

export interface TriggerOptions extends AccessOptions {
  orderId?: string;
  amount: string;
  currency: string;
  json?: boolean;
}

/** A refund waits for its workflow; on a busy machine that takes some seconds. */
const PATIENCE_MS = 30_000;
const POLL_MS = 200;

/** What has to be done to a new payment, and to a refund of it. */
type Recipe = readonly [TestOutcome | 'cancel', RefundTestOutcome?];

const RECIPES: Readonly<Partial<Record<EventType, Recipe>>> = {
  'payment.completed': ['approve'],
  'payment.attempt_failed': ['card_declined'],
  'payment.failed': ['lost_or_stolen'],
  'payment.canceled': ['cancel'],
  'payment.expired': ['expire'],
  'payment.refunded': ['approve', 'complete'],
  'refund.created': ['approve', 'complete'],
  'refund.completed': ['approve', 'complete'],
  'refund.failed': ['approve', 'fail'],
  'refund.canceled': ['approve', 'cancel'],
};

const REASONS: Readonly<Partial<Record<EventType, string>>> = {
  'webhook_endpoint.disabled':
    'webhook_endpoint.disabled cannot be triggered: it tells your other endpoints that one was ' +
    'disabled. Register a second endpoint, and let its receiver answer 410 to any event; or have ' +
    'whoever runs the service send an example, by `tollgate endpoint example`.',
  'webhook_endpoint.ping':
    'webhook_endpoint.ping cannot be triggered: no call of the API causes it. Whoever runs the ' +
    'service sends it to one registered endpoint, by `tollgate endpoint ping`.',
};

/** Makes the event happen, and prints the ids of what it is about. */
export async function trigger(type: string, options: TriggerOptions): Promise<void> {
  const recipe = recipeOf(type);
  const wish = wishOf(options);
  requireTestKey(options);
  const { client } = openAccess(options);
  const payment = await client.payments.create({
    ...wish,
    ...(options.orderId === undefined ? {} : { order_id: options.orderId }),
  });
  const made = await follow(client, payment, recipe);
  const { id } = await awaitEvent(client, payment.id, type);
  const ids = { type, payment: payment.id, ...made, event: id };
  if (options.json) return console.log(JSON.stringify(ids));
  const lines = Object.entries(ids).map(([name, value]) => `${name.padEnd(7)}  ${value}`);
  console.log(lines.join('\n'));
}

function recipeOf(type: string): Recipe {
  const recipe = Object.hasOwn(RECIPES, type) ? RECIPES[type as EventType] : undefined;
  if (recipe) return recipe;
  const possible = EVENT_TYPES.filter((each) => Object.hasOwn(RECIPES, each));
  const known = EVENT_TYPES.find((each) => each === type);
  const reason = (known && REASONS[known]) ?? `There is no event type "${type}".`;
  const message = `${reason}\nThese can be triggered:\n  ${possible.join('\n  ')}`;
  throw new Refusal('parameter_invalid', { message, param: 'type' });
}

function wishOf({ amount, currency }: TriggerOptions): PaymentCreate {
  // In JSON this would become nothing, and the API say that it is missing.
  if (amount.trim() === '' || !Number.isFinite(Number(amount))) {
    const message = `--amount ${amount}: give a number in the currency's minor unit.`;
    throw new Refusal('parameter_invalid', { message, param: 'amount' });
  }
  // The API refuses what else it cannot take, with a better explanation than any made here.
  const wish = { amount: Number(amount), currency: currency as CurrencyCode };
  return {
    ...wish,
    order_id: `trigger-${randomBytes(4).toString('hex')}`,
    description: 'tollgate trigger',
    return_url: 'https://shop.example/return',
  };
}

/** Does to the payment what the recipe says; answers the refund's id when it made one. */
async function follow(
  client: Access['client'],
  payment: Payment,
  [outcome, refundOutcome]: Recipe,
): Promise<{ refund?: string }> {
  if (outcome === 'cancel') await client.payments.cancel(payment.id);
  else await client.test.outcome(payment.id, outcome);
  if (refundOutcome === undefined) return {};
  const metadata = { [REFUND_TEST_KEY]: refundOutcome };
  const refund = await client.refunds.create({ payment_id: payment.id, metadata });
  return { refund: refund.id };
}

/** The payment's event of that type, once it can be read. Throws `Refusal` when none appears. */
export async function awaitEvent(
  client: Access['client'],
  paymentId: string,
  type: string,
): Promise<Event> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { data } = await client.events.list({ payment_id: paymentId, limit: 100 });
    const found = data.find((event) => event.type === type);
    if (found) return found;
    if (performance.now() > deadline) {
      const seconds = PATIENCE_MS / 1_000;
      const message = `No ${type} of ${paymentId} within ${seconds} s: does the worker run?`;
      throw new Refusal('unavailable', { message });
    }
    await sleep(POLL_MS);
  }
}
