/** Scenarios of workflows on a real server. Their histories are stored in test/histories/. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordDecision } from '../../store/attempts.ts';
import { insertPayment } from '../../store/payments.ts';
import { reserveRefund } from '../../store/refunds.ts';
import { chooseAtBank, goToBank, stored } from '../support/bank.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import type { Proxy } from '../support/servers/proxy.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { until } from '../support/until.ts';
import type { Ground } from '../support/worker.ts';
import { writeHistory } from './history.ts';

const SHORT_LIFE_MS = 1_200;
/** Refused updates after which a run continues as new. Each adds 8 events, and the limit is 50. */
const MANY_REFUSALS = 8;
/** An address where nothing listens. Deliveries fail, which the replay's own history does not show. */
const UNUSED_URL = 'http://127.0.0.1:9/';

/** The workers, and the proxy between them and the database. */
export interface Place {
  readonly ground: Ground;
  readonly database: Proxy;
}

/** The workflow's id, and its run if that is not the newest. */
interface Lived {
  readonly id: string;
  readonly runId?: string;
}

interface Scenario {
  /** The result of the workflow's last run. */
  readonly ends: string;
  live(place: Place): Promise<Lived>;
}

const cancelOf = (id: string) => ({ kind: 'cancel', by: 'merchant', request_id: id }) as const;

/** Returns a scenario of one payment, which `live` completes. */
function ofPayment(
  ends: string,
  live: (place: Place, payment: Payment) => Promise<Omit<Lived, 'id'> | void>,
  overrides: () => Partial<Payment> = () => ({}),
): Scenario {
  return {
    ends,
    live: async (place) => {
      const payment = makePayment(overrides());
      await insertPayment(place.ground.mongo, payment);
      await place.ground.temporal.startPayment(payment);
      return { id: payment._id, ...(await live(place, payment)) };
    },
  };
}

async function choose({ ground }: Place, payment: Payment, outcome: DecisionName): Promise<void> {
  await chooseAtBank(ground.mongo, payment._id, { outcome });
  await ground.temporal.wakePayment(payment);
}

async function comesBack({ ground }: Place, { _id }: Payment): Promise<void> {
  await until(
    async () => stored(ground.mongo, _id),
    ({ status }) => status === 'created',
  );
}

function ofRefund(ends: string, outcome: string): Scenario {
  return {
    ends,
    live: async ({ ground }) => {
      const { mongo, temporal } = ground;
      const payment = makePayment({ status: 'completed' });
      const metadata = { test_outcome: outcome };
      const row = makeRefund({ m: payment.m, payment_id: payment._id, metadata });
      await insertPayment(mongo, payment);
      await mongo.transact(async (session) => reserveRefund(mongo, session, { payment, row }));
      await temporal.startRefund(row);
      return { id: row._id };
    },
  };
}

/** Runs two batches of a replay, with a pause between them. */
async function replayTwoBatches({ ground }: Place): Promise<Lived> {
  const { mongo, temporal } = ground;
  const { m: tenant } = makePayment();
  const endpoint = makeEndpoint({ m: tenant, url: UNUSED_URL });
  const events = Array.from({ length: 6 }, () =>
    makeEvent({ m: tenant, type: 'payment.completed' }),
  );
  const replay = makeReplay({ m: tenant, endpoint_id: endpoint._id, per_second: 1 });
  await mongo.endpoints.insertOne(endpoint);
  await mongo.events.insertMany(events);
  await mongo.replays.insertOne({ ...replay, until: new Date(Date.now() + 60_000) });
  await temporal.resumeReplay(replay._id);
  return { id: replay._id };
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  approved: ofPayment('completed', async (place, payment) => choose(place, payment, 'approve')),
  'declined-then-approved': ofPayment('completed', async (place, payment) => {
    await choose(place, payment, 'insufficient_funds');
    await comesBack(place, payment);
    await choose(place, payment, 'approve');
  }),
  expired: ofPayment(
    'expired',
    async () => undefined,
    () => ({ expires_at: new Date(Date.now() + SHORT_LIFE_MS) }),
  ),
  canceled: ofPayment('canceled', async ({ ground }, payment) => {
    await ground.temporal.askPayment(payment, cancelOf('req_1'), 'req_1');
  }),
  'delayed-answer': ofPayment('completed', async (place, payment) =>
    choose(place, payment, 'approve_after_5s'),
  ),
  'refused-wish': ofPayment('completed', async (place, payment) => {
    await choose(place, payment, 'approve_after_5s');
    await place.ground.temporal.askPayment(payment, cancelOf('req_1'), 'req_1');
  }),
  'continued-as-new': ofPayment('completed', async ({ ground }, payment) => {
    const { client, idPrefix, mongo, temporal } = ground;
    await goToBank(mongo, payment._id);
    const { runId } = await client.workflow.getHandle(idPrefix + payment._id).describe();
    for (let nth = 1; nth <= MANY_REFUSALS; nth += 1) {
      await temporal.askPayment(payment, cancelOf(`req_${nth}`), `req_${nth}`);
    }
    const decision = sandboxDecision('approve', new Date());
    await recordDecision(mongo, await stored(mongo, payment._id), decision);
    await temporal.wakePayment(payment);
    return { runId };
  }),
  'database-outage': ofPayment('completed', async ({ ground, database }, payment) => {
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    database.pause();
    await ground.temporal.wakePayment(payment);
    const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
    // The local activity has failed, and the activity is retrying.
    await until(
      async () => (await handle.describe()).raw.pendingActivities?.length,
      (count) => count === 1,
    );
    database.resume();
  }),
  refunded: ofRefund('completed', 'complete'),
  'refund-failed-later': ofRefund('failed', 'fail_after_5s'),
  'events-replayed': { ends: 'completed', live: replayTwoBatches },
};

/** Runs a scenario. Returns the workflow's result and its history as JSON. */
export async function record(place: Place, name: string) {
  const { client, idPrefix } = place.ground;
  const { id, runId } = await SCENARIOS[name]!.live(place);
  const result: unknown = await client.workflow.getHandle(idPrefix + id).result();
  const history = await client.workflow.getHandle(idPrefix + id, runId).fetchHistory();
  return { result, history: writeHistory(history) };
}
