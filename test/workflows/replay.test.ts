/** The replay's workflow on a real server, from the request to the merchant's receiver. */
import { describe, expect, it } from 'vitest';
import { endReplay, showReplay, startReplay } from '../../operations/replay.ts';
import type { ReplayRequest } from '../../operations/replay.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { ACTOR } from '../support/audit.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';

const ground = { ...(await startWorkers('replay')), actor: ACTOR };

/** Opens a receiver with an endpoint, and stores events that it was never sent. */
async function begin(count: number) {
  const receiver = await openReceiver();
  const { m: tenant } = makePayment();
  const secret = makeWebhookSecret();
  const endpoint = makeEndpoint({ m: tenant, url: receiver.url }, secret);
  await ground.mongo.endpoints.insertOne(endpoint);
  const events = Array.from({ length: count }, () =>
    makeEvent({ m: tenant, type: 'payment.completed' }),
  );
  await ground.mongo.events.insertMany(events);
  const request: ReplayRequest = {
    endpoint: endpoint._id,
    from: new Date(0),
    until: new Date(Date.now() + 60_000),
    selection: { kind: 'events', types: ['payment.completed'], payment_id: null, ids: null },
  };
  // The request selects only events from before the millisecond in which it is made.
  await until(Date.now, (now) => now > events.at(-1)!.created_at.getTime());
  return { receiver, secret, events, request };
}

const workflowOf = (id: unknown) => ground.client.workflow.getHandle(ground.idPrefix + String(id));

// Concurrent, because these tests mostly wait: a replay is slow on purpose.
describe.concurrent('a replay', () => {
  it('that does not exist ends its workflow without a failure', async () => {
    await ground.temporal.resumeReplay('rpl_missing');
    expect(await workflowOf('rpl_missing').result()).toBe('missing');
  });

  it('delivers every event with its stored bytes, no faster than its rate', async () => {
    const { receiver, request, events, secret } = await begin(30);
    const begun = Date.now();
    const { id, total } = await startReplay(ground, { ...request, perSecond: '5' });
    expect(total).toBe(30);
    expect(await workflowOf(id).result()).toBe('completed');
    await until(
      () => receiver.requests.length,
      (count) => count >= 30,
    );
    const arrived = receiver.requests.map((one) => verify(one, secret).id);
    expect(arrived.toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
    const bodies = receiver.requests.map(({ raw }) => raw.toString());
    expect(bodies.toSorted()).toEqual(events.map(({ body }) => body).toSorted());
    // At five a second, thirty deliveries begin within 5.8 s.
    const times = receiver.requests.map(({ at }) => at);
    expect(Math.max(...times) - begun).toBeGreaterThan(5_000);
    expect(await showReplay(ground, { id: String(id) })).toMatchObject({ sent: 30 });
    await receiver.close();
  });

  it('that is stopped sends only what was under way', async () => {
    const { receiver, request } = await begin(40);
    const { id } = await startReplay(ground, { ...request, perSecond: '4' });
    await until(
      () => receiver.requests.length,
      (count) => count >= 3,
    );
    const ended = await endReplay(ground, { id: String(id) });
    expect(ended).toMatchObject({ status: 'stopped', stopped_reason: 'asked', sent: 20 });
    expect(await workflowOf(id).result()).toBe('stopped');
    const rows = await ground.mongo.deliveries.find({ replay_id: String(id) }).toArray();
    const states = rows.map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded', 'stopped']));
    const succeeded = states.filter((state) => state === 'succeeded').length;
    expect(receiver.requests.length).toBeLessThan(20);
    expect(receiver.requests.length).toBeGreaterThanOrEqual(succeeded);
    await receiver.close();
  });
});
