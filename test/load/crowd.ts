/** Merchants with several receivers each, some of them bad, and what every receiver heard. */
import { strict as assert } from 'node:assert';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../embedded/ports.ts';
import { inLanes } from '../support/lanes.ts';
import type { Merchant, PublicEvent } from '../support/merchant.ts';
import { tollgate } from '../support/servers/processes.ts';
import type { Stage } from '../support/servers/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** `refused`: nobody listens; `hanging`: takes the request and never answers. */
export type Manner = 'healthy' | 'slow' | 'refused' | 'hanging';

export interface Wanted {
  readonly name: string;
  readonly manner: Manner;
  /** As the endpoint's list of events; everything when it is left out. */
  readonly events?: string;
  /** How long a slow one takes to answer. */
  readonly slowMs?: number;
}

/** One endpoint of a merchant, and its receiver where there is one. */
export interface Ear {
  readonly name: string;
  readonly manner: Manner;
  readonly events: string;
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver | undefined;
}

/** Registers the wanted endpoints; the caller closes their receivers. */
export async function openEars(
  stage: Stage,
  merchant: Merchant,
  wanted: readonly Wanted[],
): Promise<Ear[]> {
  const ears: Ear[] = [];
  for (const { name, manner, events = '*', slowMs = 0 } of wanted) {
    const receiver = manner === 'refused' ? undefined : await openReceiver();
    if (receiver && manner === 'hanging') receiver.answer = () => 'silence';
    if (receiver && manner === 'slow') {
      receiver.answer = async () => sleep(slowMs, { status: 200 });
    }
    const url = receiver?.url ?? `http://127.0.0.1:${await freePort()}/hooks`;
    const args = ['endpoint', 'create', '--merchant', merchant.id, '--url', url];
    const made = await tollgate(stage.env, [...args, '--events', events]);
    const { id = '', secret = '' } = made;
    ears.push({ name, manner, events, id, secret, receiver });
  }
  return ears;
}

/** What the test-mode call decides, and the event that follows: every fifth is declined for good. */
const OUTCOMES = [
  ...Array.from({ length: 4 }, () => ['approve', 'payment.completed'] as const),
  ['lost_or_stolen', 'payment.failed'] as const,
];

/** The payments that were decided, by their event's type. */
export type Played = Map<string, string>;

/** Makes so many payments and decides them over the API, as fast as the lanes go. */
export async function play(merchant: Merchant, count: number, lanes: number): Promise<Played> {
  const played: Played = new Map();
  const run = randomUUID();
  await inLanes(Array.from({ length: count }), lanes, async (_, index) => {
    const [outcome, type] = OUTCOMES[index % OUTCOMES.length]!;
    const { id } = await merchant.create(`${run}-${index}`);
    await merchant.outcome(id, outcome);
    played.set(id, type);
  });
  return played;
}

const hears = ({ events }: Ear, type: string): boolean => events === '*' || events === type;

/** The payments that an ear has to hear of. */
export function expectedBy(ear: Ear, played: Played): string[] {
  return [...played].flatMap(([id, type]) => (hears(ear, type) ? [id] : []));
}

/** Waits until each of these ears has got as many events as it has to; throws after the limit. */
export async function untilHeard(ears: readonly Ear[], played: Played, limitMs: number) {
  for (const ear of ears) {
    const count = expectedBy(ear, played).length;
    const ids = () => ear.receiver?.requests.map(({ headers }) => headers['webhook-id']);
    await until(
      () => new Set(ids()).size,
      (heard) => heard >= count,
      limitMs,
    );
  }
}

export interface Heard {
  readonly expected: number;
  /** Events that arrived at least once. */
  readonly arrived: number;
  readonly repeats: number;
  /** Requests with a wrong signature, of another merchant's payment, or not subscribed to. */
  readonly misdirected: number;
  /** From the making of the event to its first arrival, sorted, in milliseconds. */
  readonly delaysMs: readonly number[];
}

/**
 * Checks every request of an ear against its secret, its merchant's payments and its list. What is
 * about payments of `before` is not counted.
 */
export function judgeEar(ear: Ear, played: Played, before: Played = new Map()): Heard {
  const delays = new Map<string, number>();
  let [misdirected, repeats] = [0, 0];
  for (const request of ear.receiver?.requests ?? []) {
    const event = readEvent(ear, request);
    const payment = event?.data.object.id ?? '';
    const type = played.get(payment) ?? before.get(payment);
    if (!event || type !== event.type || !hears(ear, type)) misdirected += 1;
    else if (delays.has(payment)) repeats += 1;
    else if (played.has(payment)) delays.set(payment, request.at - Date.parse(event.created_at));
  }
  return {
    expected: expectedBy(ear, played).length,
    arrived: delays.size,
    repeats,
    misdirected,
    delaysMs: [...delays.values()].toSorted((a, b) => a - b),
  };
}

type TimedEvent = PublicEvent & { created_at: string };

/** By hand, because the libraries' verifiers go by the clock of the moment, which is much later. */
function readEvent(ear: Ear, { headers, raw }: Received): TimedEvent | undefined {
  const at = String(headers['webhook-timestamp']);
  const key = Buffer.from(ear.secret.slice('whsec_'.length), 'base64');
  const mac = (by: string | Buffer, beginning: string) =>
    createHmac('sha256', by).update(`${beginning}.`).update(raw);
  const own = `v1=${mac(ear.secret, at).digest('hex')}`;
  const common = `v1,${mac(key, `${String(headers['webhook-id'])}.${at}`).digest('base64')}`;
  const isGenuine = headers['service-signature'] === own && headers['webhook-signature'] === common;
  return isGenuine ? (JSON.parse(raw.toString('utf8')) as TimedEvent) : undefined;
}

/** The delay that so large a share of them did not exceed. */
export function percentile(sortedMs: readonly number[], share: number): number {
  assert(sortedMs.length > 0, 'Nothing arrived.');
  return sortedMs[Math.min(Math.ceil(sortedMs.length * share), sortedMs.length) - 1] ?? 0;
}
