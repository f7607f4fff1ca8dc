/** `tollgate trigger`: causes an event of a type, through the API in test mode. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES_KEY, MAX_PLANNED_FAILURES } from '../domain/delivery.ts';
import { EVENT_TYPES } from '../domain/event.ts';
import type { EventType } from '../domain/event.ts';
import { REFUND_TEST_KEY } from '../domain/refund.ts';
import type { RefundTestOutcome } from '../domain/refund.ts';
import type { CurrencyCode, Event, Payment, PaymentCreate } from '../sdk/objects.ts';
import type { TestOutcome } from '../sdk/objects.ts';
import { openAccess, requireTestKey } from './access.ts';
import type { Access, AccessOptions } from './access.ts';
import { Refusal } from '../operations/refusal.ts';
import { toLines } from './output.ts';
import { invalid } from './refusals.ts';

interface TriggerOptions extends AccessOptions {
  orderId?: string;
  amount: string;
  currency: string;
  /** How many attempts of its webhooks count as failed. */
  fail?: string;
  json?: boolean;
}

/** The time limit for the event. A refund takes some seconds on a busy machine. */
const PATIENCE_MS = 30_000;
const POLL_MS = 200;

/** The outcome of a new payment, and of a refund of it. */
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
    'webhook_endpoint.disabled cannot be triggered: it notifies your other endpoints that one was ' +
    'disabled. Register a second endpoint, and let its receiver respond with 410 to any event. Or send ' +
    'an example: on the page of the endpoint in the dashboard, or by `tollgate endpoint example`.',
  'webhook_endpoint.ping':
    'webhook_endpoint.ping cannot be triggered: no call of the API causes it. Send it to one endpoint: ' +
    'on its page in the dashboard, or by `tollgate endpoint ping`.',
};

/** Causes the event, and prints its id and those of its objects. */
export async function trigger(
  options: TriggerOptions,
  [type = '']: readonly string[],
): Promise<void> {
  const recipe = recipeOf(type);
  const wanted = paymentOf(options);
  requireTestKey(options);
  const { client } = openAccess(options);
  const payment = await client.payments.create(wanted);
  const made = await apply(recipe, { client, payment });
  const { id } = await awaitEvent(client, payment.id, type);
  const ids = { type, payment_id: payment.id, ...made, event_id: id };
  if (options.json) return console.log(JSON.stringify(ids));
  console.log(toLines(ids));
}

function recipeOf(type: string): Recipe {
  const recipe = Object.hasOwn(RECIPES, type) ? RECIPES[type as EventType] : undefined;
  if (recipe) return recipe;
  const possible = EVENT_TYPES.filter((each) => Object.hasOwn(RECIPES, each));
  const known = EVENT_TYPES.find((each) => each === type);
  const reason = (known && REASONS[known]) ?? `There is no event type "${type}".`;
  throw invalid('type', `${reason}\nThese can be triggered:\n  ${possible.join('\n  ')}`);
}

function paymentOf({ amount, currency, orderId, fail }: TriggerOptions): PaymentCreate {
  // JSON has null for NaN, and the API would report a missing amount.
  if (amount.trim() === '' || !Number.isFinite(Number(amount))) {
    throw invalid('amount', `--amount ${amount}: give a number in the currency's minor unit.`);
  }
  if (fail !== undefined && !(/^[1-9]$/.test(fail) && Number(fail) <= MAX_PLANNED_FAILURES)) {
    throw invalid('fail', `--fail ${fail}: give a number from 1 to ${MAX_PLANNED_FAILURES}.`);
  }
  // The API checks the other values, with better messages.
  return {
    amount: Number(amount),
    currency: currency as CurrencyCode,
    order_id: orderId ?? `trigger-${randomBytes(4).toString('hex')}`,
    description: 'tollgate trigger',
    return_url: 'https://shop.example/return',
    ...(fail !== undefined && { metadata: { [FAILURES_KEY]: fail } }),
  };
}

/** Gives the payment its outcome. Returns the refund's id if the recipe has one. */
async function apply(
  [outcome, refundOutcome]: Recipe,
  { client, payment }: { client: Access['client']; payment: Payment },
): Promise<{ refund_id?: string }> {
  if (outcome === 'cancel') await client.payments.cancel(payment.id);
  else await client.test.outcome(payment.id, outcome);
  if (refundOutcome === undefined) return {};
  // The payment's metadata has the planned failures of its webhooks, and nothing else.
  const metadata = { ...payment.metadata, [REFUND_TEST_KEY]: refundOutcome };
  const refund = await client.refunds.create({ payment_id: payment.id, metadata });
  return { refund_id: refund.id };
}

/** Waits for the payment's event of that type. Throws `Refusal` if there is none in 30 s. */
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
      const message = `No ${type} of ${paymentId} within ${seconds} s: is the worker running?`;
      throw new Refusal('unavailable', { message });
    }
    await sleep(POLL_MS);
  }
}
