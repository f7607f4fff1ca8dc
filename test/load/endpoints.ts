/** Endpoints with healthy and bad receivers, and the check of what each receiver got. */
import { strict as assert } from 'node:assert';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/port.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import type { Merchant, PublicEvent } from '../support/merchant.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** `refused`: nothing listens. `hanging`: the receiver reads the request, but does not respond. */
export type Manner = 'healthy' | 'slow' | 'refused' | 'hanging';

export interface EndpointPlan {
  readonly name: string;
  readonly manner: Manner;
  /** The event types of the endpoint; by default all. */
  readonly events?: string;
  /** The delay of a slow response. */
  readonly slowMs?: number;
}

/** An endpoint, and its receiver unless that is `refused`. */
export interface TestEndpoint {
  readonly name: string;
  readonly manner: Manner;
  readonly events: string;
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver | undefined;
}

/** Creates endpoints and opens their receivers, which the caller closes. */
export async function openEndpoints(
  deployment: Deployment,
  merchant: Merchant,
  plans: readonly EndpointPlan[],
): Promise<TestEndpoint[]> {
  const endpoints: TestEndpoint[] = [];
  for (const { name, manner, events = '*', slowMs = 0 } of plans) {
    const receiver = manner === 'refused' ? undefined : await openReceiver();
    if (receiver && manner === 'hanging') receiver.respond = () => 'silence';
    if (receiver && manner === 'slow') {
      receiver.respond = async () => sleep(slowMs, { status: 200 });
    }
    const url = receiver?.url ?? `http://127.0.0.1:${await freePort()}/hooks`;
    const { id, secret } = await deployment.createEndpoint(merchant.id, { url, events });
    endpoints.push({ name, manner, events, id, secret, receiver });
  }
  return endpoints;
}

/** Outcomes of the test-mode call, each with its event. Every fifth payment fails. */
const OUTCOMES = [
  ...Array.from({ length: 4 }, () => ['approve', 'payment.completed'] as const),
  ['lost_or_stolen', 'payment.failed'] as const,
];

/** The event type of each decided payment. */
export type Decisions = Map<string, string>;

/** Creates and decides `count` payments, at most `concurrency` at a time. */
export async function decidePayments(
  merchant: Merchant,
  count: number,
  concurrency: number,
): Promise<Decisions> {
  const decided: Decisions = new Map();
  const run = randomUUID();
  await mapConcurrently(Array.from({ length: count }), concurrency, async (_, index) => {
    const [outcome, type] = OUTCOMES[index % OUTCOMES.length]!;
    const { id } = await merchant.create(`${run}-${index}`);
    await merchant.outcome(id, outcome);
    decided.set(id, type);
  });
  return decided;
}

const subscribes = ({ events }: TestEndpoint, type: string): boolean =>
  events === '*' || events === type;

/** Returns the payments whose event the endpoint subscribes to. */
function expectedBy(endpoint: TestEndpoint, decided: Decisions): string[] {
  return [...decided].flatMap(([id, type]) => (subscribes(endpoint, type) ? [id] : []));
}

/** Waits until each receiver has got all its events. */
export async function untilReceived(
  endpoints: readonly TestEndpoint[],
  decided: Decisions,
  limitMs: number,
) {
  for (const endpoint of endpoints) {
    const count = expectedBy(endpoint, decided).length;
    const ids = () => endpoint.receiver?.requests.map(({ headers }) => headers['webhook-id']);
    await until(
      () => new Set(ids()).size,
      (arrived) => arrived >= count,
      limitMs,
    );
  }
}

export interface Receipts {
  readonly expected: number;
  /** The number of events that arrived at least once. */
  readonly arrived: number;
  readonly repeats: number;
  /** Requests with a wrong signature, about another merchant's payment, or not subscribed to. */
  readonly misdirected: number;
  /** Times from the creation of each event to its first arrival, in ascending order. */
  readonly delaysMs: readonly number[];
}

/**
 * Checks every request of an endpoint against its secret, its merchant's payments and its event
 * types. Counts no events of the payments in `before`.
 */
export function checkRequests(
  endpoint: TestEndpoint,
  decided: Decisions,
  before: Decisions = new Map(),
): Receipts {
  const delays = new Map<string, number>();
  let [misdirected, repeats] = [0, 0];
  for (const request of endpoint.receiver?.requests ?? []) {
    const event = readEvent(endpoint, request);
    const payment = event?.data.object.id ?? '';
    const type = decided.get(payment) ?? before.get(payment);
    if (!event || type !== event.type || !subscribes(endpoint, type)) misdirected += 1;
    else if (delays.has(payment)) repeats += 1;
    else if (decided.has(payment)) delays.set(payment, request.at - Date.parse(event.created_at));
  }
  return {
    expected: expectedBy(endpoint, decided).length,
    arrived: delays.size,
    repeats,
    misdirected,
    delaysMs: [...delays.values()].toSorted((a, b) => a - b),
  };
}

type TimedEvent = PublicEvent & { created_at: string };

/** Verifies both signatures by hand, because the libraries would refuse old ones. */
function readEvent(endpoint: TestEndpoint, { headers, raw }: Received): TimedEvent | undefined {
  const at = String(headers['webhook-timestamp']);
  const key = Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64');
  const mac = (by: string | Buffer, prefix: string) =>
    createHmac('sha256', by).update(`${prefix}.`).update(raw);
  const own = `v1=${mac(endpoint.secret, at).digest('hex')}`;
  const common = `v1,${mac(key, `${String(headers['webhook-id'])}.${at}`).digest('base64')}`;
  const isGenuine = headers['service-signature'] === own && headers['webhook-signature'] === common;
  return isGenuine ? (JSON.parse(raw.toString('utf8')) as TimedEvent) : undefined;
}

/** Returns the delay that this `share` of the deliveries did not exceed. */
export function percentile(sortedMs: readonly number[], share: number): number {
  assert(sortedMs.length > 0, 'Nothing arrived.');
  return sortedMs[Math.min(Math.ceil(sortedMs.length * share), sortedMs.length) - 1] ?? 0;
}
