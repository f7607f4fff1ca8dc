import { afterAll, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { DISABLE_AFTER_MS } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { emitEvent } from '../../store/emit.ts';
import { enableEndpoint } from '../../operations/change-endpoint.ts';
import { ACTOR } from '../support/audit.ts';
import { makeEndpoint, makeEvent, sealer } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

const SCHEDULE_SECONDS = [0, 0.2, 0.2];
const ATTEMPTS = SCHEDULE_SECONDS.length;
const DISABLED = 'webhook_endpoint.disabled';
const PAID = 'payment.completed';

interface Party {
  receiver: Receiver;
  secret: string;
  endpoint: Endpoint;
}

const receivers: Receiver[] = [];

const ground = closeAfterTests(
  await startWorkers('disable', { scheduleSeconds: SCHEDULE_SECONDS }),
);
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});

/** Opens a receiver with an endpoint of that merchant. */
async function join(tenant: string): Promise<Party> {
  const receiver = await openReceiver();
  receivers.push(receiver);
  const secret = makeWebhookSecret();
  const endpoint = makeEndpoint({ m: tenant, url: receiver.url }, secret);
  await ground.mongo.endpoints.insertOne(endpoint);
  return { receiver, secret, endpoint };
}

/** Emits an event and delivers it. Returns its id. */
async function raise(tenant: string): Promise<string> {
  const { mongo, temporal } = ground;
  const event = makeEvent({ m: tenant, type: PAID });
  const pending = await mongo.transact(async (session) => emitEvent(mongo, session, event));
  for (const { _id } of pending) await temporal.startDelivery(_id);
  return event._id;
}

/** Waits for the end of the event's delivery to that endpoint, and returns its state. */
async function outcome({ endpoint }: Party, event: string) {
  const of = { endpoint_id: endpoint._id, event_id: event };
  const read = async () => ground.mongo.deliveries.findOne(of);
  const ended = await until(read, (row) => row !== null && row.state !== 'pending');
  return [ended?.state, ended?.attempts.length];
}

const read = async ({ endpoint }: Party) =>
  ground.mongo.endpoints.findOne({ _id: endpoint._id, m: endpoint.m });

/** Waits for `count` requests, checks their signatures and returns their events. */
async function receivedBy({ receiver, secret }: Party, count: number) {
  await until(
    () => receiver.requests.length,
    (length) => length >= count,
  );
  return receiver.requests.map((request) => verify(request, secret));
}

describe('an endpoint that only fails', () => {
  it('is disabled after 5 days, the others are notified, and it works again once enabled', async () => {
    const { m: tenant } = makePayment();
    const [failing, first, second] = [await join(tenant), await join(tenant), await join(tenant)];
    const stranger = await join(makePayment().m);
    failing.receiver.respond = () => ({ status: 500 });

    const early = await raise(tenant);
    expect(await outcome(failing, early)).toEqual(['failed', ATTEMPTS]);
    expect(await read(failing)).toMatchObject({
      status: 'enabled',
      failing_since: expect.any(Date),
    });

    const failing_since = new Date(Date.now() - DISABLE_AFTER_MS);
    await ground.mongo.endpoints.updateOne(
      { _id: failing.endpoint._id },
      { $set: { failing_since } },
    );
    const late = await raise(tenant);
    expect(await outcome(failing, late)).toEqual(['failed', ATTEMPTS]);
    const disabled = { status: 'disabled', disabled_reason: 'failing' };
    expect(await read(failing)).toMatchObject({ ...disabled, failing_since });
    for (const other of [first, second]) {
      const events = await receivedBy(other, 3);
      expect(events.map(({ type }) => type).toSorted()).toEqual([PAID, PAID, DISABLED]);
      const notice = events.find(({ type }) => type === DISABLED);
      expect(notice?.data.object).toMatchObject({ id: failing.endpoint._id, ...disabled });
    }

    const missed = await raise(tenant);
    expect(await outcome(failing, missed)).toEqual(['skipped', 0]);
    expect(await outcome(first, missed)).toEqual(['succeeded', 1]);
    expect(failing.receiver.requests).toHaveLength(2 * ATTEMPTS);

    failing.receiver.respond = () => ({ status: 200 });
    const { mongo, temporal } = ground;
    const services = { mongo, actor: ACTOR, temporal, sealer, opened: [] };
    // The event about itself does not count as missed.
    const { _id: id } = failing.endpoint;
    expect(await enableEndpoint(services, { id })).toMatchObject({ skipped: 1 });
    const again = await raise(tenant);
    expect(await outcome(failing, again)).toEqual(['succeeded', 1]);
    const healthy = { status: 'enabled', disabled_reason: null, failing_since: null };
    expect(await read(failing)).toMatchObject(healthy);
    const events = await receivedBy(failing, 2 * ATTEMPTS + 1);
    expect(events.map((event) => event.id)).toEqual([
      ...Array.from({ length: ATTEMPTS }, () => early),
      ...Array.from({ length: ATTEMPTS }, () => late),
      again,
    ]);
    expect(stranger.receiver.requests).toEqual([]);
  });
});
