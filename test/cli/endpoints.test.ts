/** An endpoint's life and its deliveries, by the command line as an operator runs it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../domain/delivery.ts';
import { payAs } from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import { openStage, tollgate } from '../support/processes.ts';
import type { Stage } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';

let stage: Stage;
let receiver: Receiver;
let merchant: Merchant;
let endpointId: string;

beforeAll(async () => {
  receiver = await openReceiver();
  // One attempt at once and another in a minute: what waits stays waiting while it is looked at.
  stage = await openStage({ file: 'cli-endpoints', env: { WEBHOOK_SCHEDULE: '0,60' } });
  await stage.start();
  merchant = await stage.hire(receiver.url);
  const { endpoints } = await command('endpoint', 'list', '--merchant', merchant.id);
  endpointId = (endpoints as { id: string }[])[0]!.id;
});
afterAll(async () => {
  await stage?.close();
  await receiver?.close();
});

const command = async (...args: string[]): Promise<Record<string, unknown>> =>
  tollgate(stage.env, args);
const refusal = async (...args: string[]): Promise<string> =>
  command(...args).then(
    () => 'accepted',
    (error: { stderr?: string }) => String(error.stderr),
  );

/** A payment that was canceled, and its delivery once it has come to that state. */
async function cancelOne(key: string, state: Delivery['state']): Promise<Delivery> {
  const { id } = await merchant.create(key);
  await merchant.cancel(id);
  const [event] = await merchant.events(id);
  const read = async () => stage.mongo.deliveries.findOne({ event_id: event!.id });
  return (await until(read, (row) => row?.state === state && isTried(row)))!;
}

const isTried = ({ state, attempts }: Delivery): boolean =>
  state === 'skipped' || attempts.length > 0;
const read = async (id: unknown) => stage.mongo.deliveries.findOne({ _id: String(id) });

describe('tollgate endpoint and resend refuse', () => {
  it.each<[string, () => string[], string]>([
    ['an endpoint that does not exist', () => ['endpoint', 'enable', '--id', 'we_1'], 'no such'],
    [
      'an overlap of another length',
      () => ['endpoint', 'rotate-secret', '--id', endpointId, '--overlap', '2h'],
      '0, 1h, 24h, 7d',
    ],
    [
      'a forbidden address',
      () => ['endpoint', 'update', '--id', endpointId, '--url', 'http://10.0.0.1/'],
      'not public',
    ],
    [
      'an unknown event',
      () => ['endpoint', 'update', '--id', endpointId, '--events', 'payment.made'],
      'payment.made',
    ],
    ['an unknown delivery', () => ['resend', '--id', 'dlv_1'], 'no such delivery'],
    [
      'a state that is none',
      () => ['deliveries', '--endpoint', endpointId, '--state', 'lost'],
      'pending, succeeded',
    ],
  ])('%s', async (_, args, says) => {
    const before = await stage.mongo.endpoints.findOne({ _id: endpointId });
    expect(await refusal(...args())).toContain(says);
    expect(await stage.mongo.endpoints.findOne({ _id: endpointId })).toEqual(before);
  });
});

describe('an endpoint', () => {
  it('gets what waits at its new address, when it is sent again', async () => {
    receiver.answer = () => ({ status: 500, body: 'out of order' });
    const waiting = await cancelOne('moved', 'pending');
    const moved = await openReceiver();
    await command('endpoint', 'update', '--id', endpointId, '--url', moved.url);
    const { id } = await command('resend', '--id', waiting._id);
    await until(
      async () => read(id),
      (row) => row?.state === 'succeeded',
    );
    const [request] = moved.requests;
    expect(verify(request!, merchant.secret).id).toBe(waiting.event_id);
    expect(await read(id)).toMatchObject({ trigger: 'manual', event_id: waiting.event_id });
    await command('endpoint', 'update', '--id', endpointId, '--url', receiver.url);
    await moved.close();
  });

  it('shows of a delivery what was sent and what came back', async () => {
    receiver.answer = () => ({ status: 500, body: 'out of order' });
    const { _id } = await cancelOne('shown', 'pending');
    const shown = await command('deliveries', '--id', _id);
    expect(shown).toMatchObject({ id: _id, state: 'pending', last_status: 500 });
    const [attempt] = shown['attempts'] as NonNullable<Delivery['attempts']>;
    expect(attempt).toMatchObject({ number: 1, response: { body: 'out of order' } });
    expect(attempt!.request!.headers.map(([name]) => name)).toContain('Service-Signature');
    expect(shown['body']).toBe(receiver.requests.at(-1)!.raw.toString());
    const listed = await command('deliveries', '--endpoint', endpointId, '--limit', '1');
    expect(listed).toMatchObject({ deliveries: [{ id: _id }], has_more: true });
  });

  it('is sent nothing while it is disabled, and what it missed when that is wanted', async () => {
    receiver.answer = () => ({ status: 500 });
    const waiting = await cancelOne('stopped', 'pending');
    const disabled = await command('endpoint', 'disable', '--id', endpointId);
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'merchant' });
    expect(disabled['stopped']).toBeGreaterThan(0);
    expect(await read(waiting._id)).toMatchObject({ state: 'stopped', next_attempt_at: null });
    const skipped = await cancelOne('skipped', 'skipped');
    expect(await refusal('resend', '--id', skipped._id)).toContain('enable it first');

    receiver.answer = () => ({ status: 200 });
    const enabled = await command('endpoint', 'enable', '--id', endpointId);
    expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, skipped: 1 });
    const { id } = await command('resend', '--id', skipped._id);
    await until(
      async () => read(id),
      (row) => row?.state === 'succeeded',
    );
    expect(verify(receiver.requests.at(-1)!, merchant.secret).id).toBe(skipped.event_id);
  });

  it('hears of a ping alone, whatever it subscribes to', async () => {
    const other = await openReceiver();
    await command('endpoint', 'create', '--merchant', merchant.id, '--url', other.url);
    await command('endpoint', 'update', '--id', endpointId, '--events', 'refund.*');
    const seen = receiver.requests.length;
    const { id, event_id } = await command('endpoint', 'ping', '--id', endpointId);
    await until(
      async () => read(id),
      (row) => row?.state === 'succeeded',
    );
    const event = verify(receiver.requests[seen]!, merchant.secret);
    expect(event).toMatchObject({ id: event_id, type: 'webhook_endpoint.ping' });
    expect(event.data.object.id).toBe(endpointId);
    expect(await read(id)).toMatchObject({ trigger: 'test' });
    expect(other.requests).toEqual([]);
    await command('endpoint', 'update', '--id', endpointId, '--events', '*');
    await other.close();
    const { endpoints } = await command('endpoint', 'list', '--merchant', merchant.id);
    const [, second] = endpoints as { id: string }[];
    await command('endpoint', 'delete', '--id', second!.id);
  });

  it('has a new secret, and the old one while the overlap lasts', async () => {
    receiver.answer = () => ({ status: 200 });
    const { secret } = await command('endpoint', 'rotate-secret', '--id', endpointId);
    const payment = await merchant.create('rotated');
    await payAs(payment, 'approve');
    const seen = receiver.requests.length;
    const request = await until(
      () => receiver.requests[seen],
      (one) => one !== undefined,
    );
    expect(verify(request!, String(secret)).data.object.id).toBe(payment.id);
    expect(verify(request!, merchant.secret).data.object.id).toBe(payment.id);
    const stored = JSON.stringify(await stage.mongo.endpoints.find().toArray());
    expect(stored).not.toContain(String(secret));
    expect(stored).not.toContain(merchant.secret);
  });

  it('is gone when it is deleted, and hears of nothing more', async () => {
    receiver.answer = () => ({ status: 500 });
    const waiting = await cancelOne('deleted', 'pending');
    const seen = receiver.requests.length;
    expect(await command('endpoint', 'delete', '--id', endpointId)).toMatchObject({
      deleted: true,
      stopped: 1,
    });
    expect(await read(waiting._id)).toMatchObject({ state: 'stopped' });
    const { id } = await merchant.create('after');
    await merchant.cancel(id);
    const [event] = await merchant.events(id);
    expect(await stage.mongo.deliveries.countDocuments({ event_id: event!.id })).toBe(0);
    expect(receiver.requests).toHaveLength(seen);
    const left = await command('endpoint', 'list', '--merchant', merchant.id);
    expect(left).toEqual({ endpoints: [] });
  });
});
