/**
 * The bare server. `POST /<id>` stores a payment and starts its workflow, `POST /<id>/wake` wakes it,
 * and `GET /<id>` reads it.
 */
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import { MongoClient } from 'mongodb';
import getRawBody from 'raw-body';
import { readPlace } from './place.ts';

const { address, namespace, mongoUri } = readPlace();
const mongo = await new MongoClient(mongoUri).connect();
const payments = mongo.db().collection<{ _id: string; status?: string }>('payments');
const client = new Client({ connection: await Connection.connect({ address }), namespace });

const run = (id: string) => ({ workflowId: `floor-${id}`, taskQueue: 'floor', args: [id] });

const app = new Koa();
app.use(async (ctx) => {
  const [, id = '', action] = ctx.path.split('/');
  if (ctx.method === 'GET') {
    ctx.body = await payments.findOne({ _id: id });
    return;
  }
  const body = JSON.parse(await getRawBody(ctx.req, { encoding: 'utf8' })) as object;
  if (action === 'wake') {
    const { receivers } = body as { receivers: number };
    const signal = { signal: 'wake', signalArgs: [receivers] };
    await client.workflow.signalWithStart('floor', { ...run(id), ...signal });
    ctx.body = {};
  } else {
    await payments.insertOne({ _id: id, status: 'created', ...body });
    await client.workflow.start('floor', { ...run(id), startDelay: '30 minutes' });
    ctx.status = 201;
    ctx.body = { id };
  }
});
process.on('disconnect', () => process.exit());
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
