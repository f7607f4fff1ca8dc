/** Endpoints and their deliveries, by the commands that an operator runs. */
import { afterAll, describe, expect, it } from 'vitest';
import type { DeliveryAttempt } from '../../domain/delivery.ts';
import { mintId } from '../../store/mint.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { tollgate } from './command.ts';
import { closeAfterTests } from '../support/close.ts';

let receiver = await openReceiver();
afterAll(async () => receiver.close());
// The second attempt is a minute later, so a pending delivery stays pending during the test. The
// time limit is long, because a late response would be retried.
const env = { WEBHOOK_SCHEDULE: '0,60', WEBHOOK_TIMEOUT_MS: '15000' };
const deployment = closeAfterTests(await openDeployment({ file: 'cli-endpoints', env }));
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
const id = (await deployment.mongo.endpoints.findOne({ url: receiver.url }))!._id;

async function command(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await tollgate([...args, '--json'], deployment.env);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}
const settled = async (delivery: unknown, state: string) =>
  until(
    async () => deployment.mongo.deliveries.findOne({ _id: String(delivery) }),
    (row) => row?.state === state && (row.attempts.length > 0 || state === 'skipped'),
  );

describe('tollgate endpoint', () => {
  it('signs, records and explains a ping', async () => {
    receiver.respond = () => ({ status: 500, body: 'out of order' });
    const sent = (await command('endpoint', 'ping', '--id', id)) as Record<string, string>;
    const delivery = String(sent['id']);
    await settled(delivery, 'pending');
    const [request] = receiver.requests;
    const event = verify(request!, merchant.secret);
    expect(event).toMatchObject({ id: sent['event_id'], type: 'webhook_endpoint.ping' });

    const shown = await command('deliveries', '--id', delivery);
    expect(shown).toMatchObject({ trigger: 'test', last_status: 500, body: String(request!.raw) });
    const [attempt] = shown['attempts'] as DeliveryAttempt[];
    expect(attempt).toMatchObject({ number: 1, response: { body: 'out of order' } });

    const wrong = `v1=${'0'.repeat(64)}`;
    const given = ['--header', `Service-Signature: ${wrong}`, '--body', '-'];
    const args = ['explain', '--delivery', delivery, ...given];
    const { code, stdout } = await tollgate(args, deployment.env, `${String(request!.raw)} `);
    const timestamp = String(request!.headers['service-timestamp']);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${delivery}, attempt 1 of 1\n`)]);
    expect(stdout).toContain(`\n  ${timestamp}.{"id":"${event.id}"`);
    const signature = String(request!.headers['service-signature']);
    expect(stdout).toContain(`service-signature: ${signature}\n`);
    expect(stdout).toContain(`DIFFERS from what was given: ${wrong}\n`);
    expect(stdout).toContain('\nWRONG (service-signature): None of the usual mistakes');
    expect(stdout).toContain('\nWRONG: The body that was signed is not the one that was sent.');
    expect(stdout).not.toContain(merchant.secret);
  });

  it('explains the numbered attempt, or the last one', async () => {
    const [sent] = await deployment.mongo.deliveries.find({ endpoint_id: id }).toArray();
    const [first] = sent!.attempts;
    const attempts = [first!, { ...first!, number: 2 }];
    const done = { ...sent!, state: 'failed' as const, next_attempt_at: null };
    const twice = { ...done, _id: mintId('delivery'), attempts };
    const skipped = { ...twice, _id: mintId('delivery'), state: 'skipped' as const, attempts: [] };
    await deployment.mongo.deliveries.insertMany([twice, skipped]);
    const explain = async (...args: string[]) =>
      tollgate(['explain', '--delivery', ...args], deployment.env);
    expect((await explain(twice._id)).stdout).toContain(`${twice._id}, attempt 2 of 2\n`);
    const one = await explain(twice._id, '--attempt', '1');
    expect(one.stdout).toContain(`${twice._id}, attempt 1 of 2\n`);
    for (const number of ['0', '3', '01', 'last']) {
      const { code, stderr } = await explain(twice._id, '--attempt', number);
      expect([code, stderr]).toEqual([
        2,
        `tollgate: There is no attempt ${number}: the last one was 2.\n`,
      ]);
    }
    const nothing = await explain(skipped._id);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      'tollgate: Nothing has been sent yet: the delivery is skipped, without an attempt.\n',
    ]);
    await deployment.mongo.deliveries.deleteMany({ _id: { $in: [twice._id, skipped._id] } });
  });

  it('resends a failed delivery to the new address', async () => {
    const moved = await openReceiver();
    const [waiting] = await deployment.mongo.deliveries.find({ endpoint_id: id }).toArray();
    await command('endpoint', 'update', '--id', id, '--url', moved.url);
    const { delivery_id: again } = await command('resend', waiting!._id);
    expect(await settled(again, 'succeeded')).toMatchObject({ trigger: 'test' });
    expect(verify(moved.requests[0]!, merchant.secret).id).toBe(waiting!.event_id);
    await receiver.close();
    receiver = moved;
  });

  it('keeps the events of a disabled endpoint, and prints how to send them', async () => {
    expect(await command('endpoint', 'disable', '--id', id)).toMatchObject({ stopped: 1 });
    const payment = await merchant.create('missed');
    await merchant.cancel(payment.id);
    const [event] = await merchant.events(payment.id);
    const row = await deployment.mongo.deliveries.findOne({ event_id: event!.id });
    const refused = await tollgate(['resend', '--id', row!._id], deployment.env);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toBe('tollgate: The endpoint is disabled: enable it first.\n');
    const { endpoints } = await command('endpoint', 'list', '--merchant', merchant.id);
    const counts = { pending: 0, skipped: 1, stopped: 1 };
    expect(endpoints).toEqual([
      expect.objectContaining({ deliveries: expect.objectContaining(counts) }),
    ]);

    receiver.respond = () => ({ status: 200 });
    const enabled = await command('endpoint', 'enable', '--id', id);
    // The stopped ping does not count as missed.
    expect(enabled).toMatchObject({ status: 'enabled', skipped: 1, stopped: 0 });
    const [name, ...words] = String(enabled['to_send_them']).split(' ');
    expect([name, await command(...words)]).toEqual([
      'tollgate',
      expect.objectContaining({ total: 1 }),
    ]);
    const seen = await until(
      () => receiver.requests.at(-1),
      (request) => request?.headers['webhook-id'] === event!.id,
    );
    expect(verify(seen!, merchant.secret).data.object.id).toBe(payment.id);
    const failed = ['resend', '--endpoint', id, '--since', '1h'];
    const nothing = await tollgate(failed, deployment.env);
    expect([nothing.code, nothing.stderr]).toEqual([0, '']);
    expect(nothing.stdout).toMatch(/^Nothing to send\.\nendpoint_id +we_\w+\ntotal +0\n/);
  });

  it('signs a ping with the new secret and the old one, and deletes the endpoint', async () => {
    const { secret } = await command('endpoint', 'rotate-secret', '--id', id);
    // If Temporal is slow, the sweep starts the ping later.
    const { id: ping, event_id } = await until(
      async () => command('endpoint', 'ping', '--id', id),
      ({ starts }) => starts === 'now',
    );
    await settled(ping, 'succeeded');
    const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === event_id);
    for (const each of [String(secret), merchant.secret]) {
      expect(verify(request!, each).type).toBe('webhook_endpoint.ping');
    }
    expect(await command('endpoint', 'delete', '--id', id)).toMatchObject({ deleted: true });
    expect((await deployment.mongo.endpoints.findOne({ _id: id }))?.status).toBe('deleted');
  });
});
