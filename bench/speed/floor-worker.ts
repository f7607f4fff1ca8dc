/**
 * The bare worker: one transaction for each payment, then one activity with one POST and one write
 * for each receiver.
 */
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { readPlace } from './place.ts';

const WEBHOOKS = 'floor-webhooks';
const AT_ONCE = 100;

interface SettleDeps {
  readonly mongo: MongoClient;
  readonly db: Db;
  readonly client: Client;
  readonly receiverUrl: string;
}

interface Row {
  readonly _id: string;
  readonly status?: unknown;
}

/** Creates the activity that settles a payment and starts its deliveries. */
export const settling = ({ mongo, db, client, receiverUrl }: SettleDeps) => ({
  async settle(id: string, receivers: number): Promise<void> {
    const payments = db.collection<Row>('payments');
    const body = JSON.stringify(await payments.findOne({ _id: id }));
    const numbers = Array.from({ length: receivers }, (_, index) => index);
    const deliveries = numbers.map((index) => ({ _id: `${id}-${index}`, url: receiverUrl, body }));
    await mongo.withSession(async (session) =>
      session.withTransaction(async () => {
        await payments.updateOne({ _id: id }, { $set: { status: 'completed' } }, { session });
        await db.collection<Row>('deliveries').insertMany(deliveries, { session });
      }),
    );
    const starts = deliveries.map(async ({ _id }) =>
      client.activity.start('deliver', {
        id: _id,
        taskQueue: WEBHOOKS,
        args: [_id],
        startToCloseTimeout: '30 seconds',
      }),
    );
    await Promise.all(starts);
  },
});

const delivering = (db: Db) => ({
  async deliver(id: string): Promise<void> {
    const deliveries = db.collection<Row & { url: string; body: string }>('deliveries');
    const delivery = await deliveries.findOne({ _id: id });
    if (!delivery) throw new Error(`There is no ${id}.`);
    const { status } = await fetch(delivery.url, { method: 'POST', body: delivery.body });
    await deliveries.updateOne({ _id: id }, { $set: { status } });
  },
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address, namespace, mongoUri, receiverUrl } = readPlace();
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const mongo = await new MongoClient(mongoUri).connect();
  const db = mongo.db();
  const connection = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  const payments = await Worker.create({
    connection,
    namespace,
    taskQueue: 'floor',
    workflowsPath: fileURLToPath(new URL('floor-workflow.ts', import.meta.url)),
    activities: settling({ mongo, db, client, receiverUrl }),
    maxConcurrentLocalActivityExecutions: AT_ONCE,
  });
  const webhooks = await Worker.create({
    connection,
    namespace,
    taskQueue: WEBHOOKS,
    activities: delivering(db),
    maxConcurrentActivityTaskExecutions: AT_ONCE,
  });
  process.on('disconnect', () => process.exit());
  const running = Promise.all([payments.run(), webhooks.run()]);
  process.send?.('ready');
  await running;
}
