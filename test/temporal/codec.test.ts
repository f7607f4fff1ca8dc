/** Encrypted payloads in Temporal, and workers with another key or another setting. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { makeEncryption } from '../../temporal/codec.ts';
import type { Encryption } from '../../temporal/codec.ts';
import { makeTemporal } from '../../temporal/client.ts';
import { insertPayment } from '../../store/payments.ts';
import { makeLog } from '../../log.ts';
import { chooseAtBank, stored } from '../support/bank.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { testServers } from '../support/run.ts';
import { until } from '../support/until.ts';
import { NAMESPACE, startWorkers } from '../support/worker.ts';
import type { GroundOptions } from '../support/worker.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const ON = makeEncryption({ current: first, previous: [] }, true);
const OFF = makeEncryption({ current: first, previous: [] }, false);
const ROTATED = makeEncryption({ current: second, previous: [first] }, true);
const WITHOUT = makeEncryption({ current: second, previous: [] }, false);

const [codec, off, rotated, without] = [ON, OFF, ROTATED, WITHOUT].map(
  ({ dataConverter }) => dataConverter.payloadCodecs![0]!,
);
const PLAIN = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"pay_1"') };

describe('makeEncryption', () => {
  it('hides the content of a payload, and shows the id of the key', async () => {
    const [sealed] = await codec!.encode([PLAIN]);
    expect(Object.keys(sealed!.metadata!)).toEqual(['encoding', 'encryption-key-id']);
    expect(Buffer.from(sealed!.data!).toString()).not.toMatch(/pay_1|cGF5|json/);
    const [again] = await codec!.encode([PLAIN]);
    expect(again!.data).not.toEqual(sealed!.data);
  });

  it('reads encrypted and plain payloads, whether or not it is on, and after a change of keys', async () => {
    const [sealed] = await codec!.encode([PLAIN]);
    for (const reader of [codec, off, rotated]) {
      expect(await reader!.decode([sealed!, PLAIN])).toEqual([PLAIN, PLAIN]);
    }
    expect(await off!.encode([PLAIN])).toEqual([PLAIN]);
  });

  it('names a key that is missing, and refuses a payload that was changed', async () => {
    const [sealed] = await codec!.encode([PLAIN]);
    await expect(without!.decode([sealed!])).rejects.toThrow(
      /[0-9a-f]{8}, which is not configured/,
    );
    const data = Buffer.from(sealed!.data!);
    data.write(data.at(40) === 65 ? 'B' : 'A', 40);
    await expect(codec!.decode([{ ...sealed!, data }])).rejects.toThrow(/authenticate/);
  });
});

const options: GroundOptions = { encryption: ON, scheduleSeconds: [0, 1, 1] };
const ground = closeAfterTests(await startWorkers('codec', options));
const receiver = closeAfterTests(await openReceiver());
const { mongo, idPrefix } = ground;
const { connection } = ground.client;

async function newPayment() {
  const payment = makePayment({ amount: 98_765, order_id: 'order-of-anna' });
  await insertPayment(mongo, payment);
  const endpoint = makeEndpoint({ m: payment.m, url: receiver.url });
  await mongo.endpoints.insertOne(endpoint);
  return { payment, endpoint };
}

/** Returns everything that Temporal stores about the workflow, with bytes as text. */
async function rawOf(workflowId: string): Promise<string> {
  const execution = { workflowId };
  const { workflowService: service } = connection;
  const { history } = await service.getWorkflowExecutionHistory({
    namespace: NAMESPACE,
    execution,
  });
  const described = await service.describeWorkflowExecution({ namespace: NAMESPACE, execution });
  return textOf({ history, described });
}

async function rawOfActivity(activityId: string): Promise<string> {
  const request = { namespace: NAMESPACE, activityId, includeInput: true, includeOutcome: true };
  return textOf(await connection.workflowService.describeActivityExecution(request));
}

/** Returns all texts within a reply. Its JSON has bytes as base64, so that is decoded too. */
const textOf = (value: object): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? `${part} ${Buffer.from(part, 'base64').toString()}` : part,
  );

/** Returns our calls as another process makes them. */
const clientWith = (encryption: Encryption) =>
  makeTemporal({
    connection,
    namespace: NAMESPACE,
    idPrefix,
    queueSuffix: ground.queueSuffix,
    webhookTimeoutMs: 1_000,
    encryption,
    log: makeLog('test', 'silent'),
  });

async function untilCompleted(id: string): Promise<void> {
  await until(
    async () => (await stored(mongo, id)).status,
    (status) => status === 'completed',
  );
}

const deliveriesOf = async (m: string, state: 'pending' | 'succeeded') =>
  mongo.deliveries.find({ m, state }).toArray();

describe('a payment whose payloads are encrypted', () => {
  it('leaves its own id and names of types in Temporal, and nothing else', async () => {
    const { payment, endpoint } = await newPayment();
    receiver.respond = (count) => ({ status: count === 1 ? 500 : 200 });
    await ground.temporal.startPayment(payment);
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    const cancel = { kind: 'cancel', by: 'merchant', request_id: 'req_of_anna' } as const;
    await ground.temporal.askPayment(payment, cancel, 'update-1');
    await untilCompleted(payment._id);
    const [delivery] = await until(
      async () => deliveriesOf(payment.m, 'succeeded'),
      ({ length }) => length === 1,
    );
    const workflowId = idPrefix + payment._id;
    await ground.client.workflow
      .getHandle(workflowId)
      .result()
      .catch(() => undefined);
    const raw = await rawOf(workflowId);
    const activity = await rawOfActivity(idPrefix + delivery!._id);
    expect(raw).toContain('binary/encrypted');
    expect(activity).toContain('binary/encrypted');
    const shown =
      raw.replaceAll(workflowId, '') + activity.replaceAll(idPrefix + delivery!._id, '');
    const secrets = [
      payment._id,
      payment.merchant_id,
      endpoint._id,
      delivery!._id,
      delivery!.event_id,
      'order-of-anna',
      'req_of_anna',
      '98765',
      '98,765',
      'AMD',
      new URL(receiver.url).host,
      'Attempt 1',
    ];
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    const { dataConverter } = ON;
    const reader = new Client({ connection, namespace: NAMESPACE, dataConverter });
    const { staticSummary } = await reader.workflow.getHandle(workflowId).describe();
    expect(await staticSummary()).toBe('98,765 AMD · order-of-anna');
  });

  it('has a history that can be replayed', async () => {
    const { payment } = await newPayment();
    receiver.respond = () => ({ status: 200 });
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    await ground.temporal.wakePayment(payment);
    await untilCompleted(payment._id);
    const handle = ground.client.workflow.getHandle(idPrefix + payment._id);
    await until(
      async () => (await handle.describe()).status.name,
      (name) => name === 'COMPLETED',
    );
    const history = await handle.fetchHistory();
    const { workflowBundle } = testServers();
    const replay = async ({ dataConverter }: Encryption) =>
      Worker.runReplayHistory({ workflowBundle, dataConverter }, history, handle.workflowId);
    await replay(ON);
    await expect(replay(WITHOUT)).rejects.toThrow();
  });

  it.each<[string, Encryption]>([
    ['was started without encryption', OFF],
    ['was started with a newer key', ROTATED],
  ])('is settled although it %s', async (_, encryption) => {
    options.encryption = makeEncryption({ current: first, previous: [second] }, true);
    await ground.restart();
    const { payment } = await newPayment();
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    await clientWith(encryption).wakePayment(payment);
    await untilCompleted(payment._id);
    await until(
      async () => deliveriesOf(payment.m, 'succeeded'),
      ({ length }) => length === 1,
    );
  });
});

describe('workers without the key', () => {
  it('fail with the id of the key, and lose nothing once they have it', async () => {
    options.encryption = WITHOUT;
    await ground.restart();
    const { payment, endpoint } = await newPayment();
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    await clientWith(ON).wakePayment(payment);
    const event = makeEvent({ m: payment.m });
    await mongo.events.insertOne(event);
    const row = { m: payment.m, endpoint_id: endpoint._id, event_id: event._id };
    const delivery = makeDelivery(row);
    await mongo.deliveries.insertOne(delivery);
    await clientWith(ON).startDelivery(delivery._id);
    const words = /[0-9a-f]{8}, which is not configured: add that key to ENCRYPTION_KEY_PREVIOUS/;
    await until(
      async () => rawOf(idPrefix + payment._id),
      (raw) => words.test(raw),
    );
    const handle = ground.client.activity.getHandle(idPrefix + delivery._id);
    await until(
      async () => (await handle.describe()).attempt,
      (attempt) => attempt > 1,
    );
    expect((await stored(mongo, payment._id)).status).toBe('processing');
    expect(await deliveriesOf(payment.m, 'pending')).toHaveLength(1);

    const before = receiver.requests.length;
    options.encryption = ROTATED;
    await ground.restart();
    await untilCompleted(payment._id);
    await until(
      async () => deliveriesOf(payment.m, 'succeeded'),
      ({ length }) => length === 2,
    );
    expect(receiver.requests.length - before).toBe(2);
    expect(await mongo.events.countDocuments({ m: payment.m, type: 'payment.completed' })).toBe(1);
  });
});
