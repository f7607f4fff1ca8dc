/** The sweep by its schedule, on real servers. */
import { afterAll, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../domain/id.ts';
import { insertPayment } from '../../store/payments.ts';
import { ensureSweep } from '../../temporal/setup.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/messages.ts';
import { stored } from '../support/bank.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

/** The age of rows that are overdue for the sweep, whatever its grace. */
const LONG_AGO_MS = 10 * 60 * 1000;
/** So long that the sweep never starts by itself. The tests trigger it. */
const EVERY_SECONDS = 24 * 60 * 60;

const schedule = () => ground.client.schedule.getHandle(ground.idPrefix + SWEEP_SCHEDULE_ID);

const receiver = closeAfterTests(await openReceiver());
const ground = closeAfterTests(await startWorkers('sweep'));
await ensureSweep(ground.client, { ...ground, everySeconds: EVERY_SECONDS });
afterAll(async () => {
  await schedule().delete();
});

describe('the schedule of the sweep', () => {
  it('is created once, however often it is ensured', async () => {
    await ensureSweep(ground.client, { ...ground, everySeconds: EVERY_SECONDS });
    expect((await schedule().describe()).spec.intervals).toMatchObject([
      { every: EVERY_SECONDS * 1000 },
    ]);
  });

  it('is not updated if it is right, so that its next round does not move', async () => {
    await ensureSweep(ground.client, { ...ground, everySeconds: EVERY_SECONDS });
    expect((await schedule().describe()).info.lastUpdatedAt).toBeUndefined();
  });

  it('gets a new interval, and stays paused if an operator paused it', async () => {
    const everySeconds = EVERY_SECONDS / 2;
    await schedule().pause('maintenance');
    await ensureSweep(ground.client, { ...ground, everySeconds });
    const changed = await schedule().describe();
    expect(changed.spec.intervals).toMatchObject([{ every: everySeconds * 1000 }]);
    expect(changed.state).toMatchObject({ paused: true, note: 'maintenance' });
    await ensureSweep(ground.client, { ...ground, everySeconds });
    const left = await schedule().describe();
    expect(left.info.lastUpdatedAt).toEqual(changed.info.lastUpdatedAt);
    await schedule().unpause();
  });

  it.each(['taskQueue', 'workflowExecutionTimeout'] as const)(
    'restores a changed %s',
    async (name) => {
      const wanted = (await schedule().describe()).action;
      const other = { taskQueue: 'elsewhere', workflowExecutionTimeout: 1_000 };
      await schedule().update((found) => ({
        ...found,
        action: { ...found.action, [name]: other[name] },
      }));
      await ensureSweep(ground.client, { ...ground, everySeconds: EVERY_SECONDS });
      expect((await schedule().describe()).action).toMatchObject({ [name]: wanted[name] });
    },
  );

  it('starts payments and deliveries that Temporal lost, and deletes old records', async () => {
    const { mongo } = ground;
    const past = new Date(Date.now() - LONG_AGO_MS);
    const overdue = makePayment({ created_at: past, expires_at: past });
    await insertPayment(mongo, overdue);
    const { m: tenant } = makePayment();
    const endpoint = makeEndpoint({ m: tenant, url: receiver.url });
    const event = makeEvent({ m: tenant, created_at: past });
    const ids = { m: tenant, endpoint_id: endpoint._id, event_id: event._id };
    const delivery = makeDelivery({ ...ids, created_at: past });
    await mongo.endpoints.insertOne(endpoint);
    await mongo.events.insertOne(event);
    const old = makeDelivery({ ...ids, _id: firstIdAt('delivery', 0), state: 'stopped' });
    await mongo.deliveries.insertMany([delivery, old]);
    await schedule().trigger();
    await until(
      async () => (await stored(mongo, overdue._id)).status,
      (status) => status === 'expired',
    );
    await until(
      async () => (await mongo.deliveries.findOne({ _id: delivery._id }))?.state,
      (state) => state === 'succeeded',
    );
    await until(
      async () => mongo.deliveries.countDocuments(),
      (count) => count === 1,
    );
    expect(receiver.requests.map((request) => request.raw.toString())).toEqual([event.body]);
  });
});
