import { describe, expect, it } from 'vitest';
import { deliverWebhook } from '../../../activities/deliver.ts';
import { DEFAULT_SCHEDULE_SECONDS } from '../../../domain/delivery.ts';
import { parseRanges } from '../../../outbound/address.ts';
import { makeGate } from '../../../outbound/gate.ts';
import { makeOutbound } from '../../../outbound/post.ts';
import { closeAfterTests } from '../../support/close.ts';
import { openReceiver } from '../../support/receiver.ts';
import { sealer } from '../../support/rows/endpoint.ts';
import { openHooks } from './ground.ts';

const ground = await openHooks('dashboard-test-event');
const { mongo, temporal } = ground;
const receiver = closeAfterTests(await openReceiver());
const opened = parseRanges(['127.0.0.1/32']);
const outbound = closeAfterTests(makeOutbound({ opened, timeoutMs: 15_000 }));
const deps = {
  mongo,
  temporal,
  outbound,
  gate: makeGate({ slots: 100, now: Date.now, random: Math.random }),
  sealer,
  scheduleSeconds: DEFAULT_SCHEDULE_SECONDS,
  version: '1.2.3',
  log: { info: () => undefined },
};

/** Sends deliveries as the worker does, while the page waits. A failure means a later retry. */
temporal.startDelivery = async (id) => {
  void deliverWebhook(deps, { delivery_id: id }).catch(() => undefined);
};

const browser = await ground.signIn('developer');

describe('POST /webhooks/:id/test', () => {
  it('sends a ping, and shows its result on the same page', async () => {
    const { _id } = await ground.endpoint({ url: receiver.url });
    receiver.respond = () => ({ status: 200, body: 'thank <you>' });
    const path = `/webhooks/${_id}`;
    const { to } = await browser.post(`${path}/test`, { type: 'webhook_endpoint.ping' });
    expect(to).toMatch(new RegExp(`^${path}\\?test=dlv_\\w{26}$`));
    const { html } = await browser.get(to!);
    expect(html).toContain('The endpoint accepted the test event.');
    expect(html).toContain('HTTP 200');
    expect(html).toContain('thank &lt;you>');
    const sent = receiver.requests.at(-1)!;
    expect(JSON.parse(sent.raw.toString())).toMatchObject({ type: 'webhook_endpoint.ping' });
    const { length } = receiver.requests;
    expect((await browser.get(to!)).html).toContain('HTTP 200');
    expect(receiver.requests).toHaveLength(length);
  });

  it('sends an example of a type, and shows why it was not accepted', async () => {
    const { _id } = await ground.endpoint({ url: receiver.url, enabled_events: ['refund.*'] });
    receiver.respond = () => ({ status: 500, body: 'x'.repeat(2_000) });
    const { to } = await browser.post(`/webhooks/${_id}/test`, { type: 'payment.completed' });
    const { html } = await browser.get(to!);
    expect(html).toContain('The endpoint did not accept the test event.');
    expect(html).toContain('HTTP 500');
    expect(html).toContain(`<pre>${'x'.repeat(500)}</pre>`);
  });

  it('shows that there was no response', async () => {
    const { _id } = await ground.endpoint({ url: receiver.url });
    receiver.respond = () => 'reset';
    const { to } = await browser.post(`/webhooks/${_id}/test`, { type: 'webhook_endpoint.ping' });
    expect((await browser.get(to!)).html).toContain('the connection was broken off');
  });

  it('links to the delivery while the result is not known', async () => {
    const { _id } = await ground.endpoint({ url: receiver.url });
    receiver.respond = () => 'silence';
    const { to } = await browser.post(`/webhooks/${_id}/test`, { type: 'webhook_endpoint.ping' });
    const { html } = await browser.get(to!);
    expect(html).toContain('The test event is on its way.');
    expect(html).toContain(`href="/deliveries/${to!.split('=')[1]}"`);
  });

  it.each([
    ['several types', '*'],
    ['a family', 'payment.*'],
    ['an unknown type', 'payment.lost'],
    ['no type', ''],
  ])('refuses %s', async (_, type) => {
    const { _id } = await ground.endpoint({ url: receiver.url });
    expect((await browser.post(`/webhooks/${_id}/test`, { type })).status).toBe(422);
    expect(await mongo.deliveries.countDocuments({ endpoint_id: _id })).toBe(0);
  });

  it('refuses a disabled endpoint', async () => {
    const { _id } = await ground.endpoint({ status: 'disabled', disabled_reason: 'merchant' });
    const form = { type: 'webhook_endpoint.ping' };
    expect((await browser.post(`/webhooks/${_id}/test`, form)).status).toBe(422);
    expect(await mongo.deliveries.countDocuments({ endpoint_id: _id })).toBe(0);
  });
});

describe('GET /webhooks/:id?test=', () => {
  it('shows no delivery of another endpoint or merchant', async () => {
    const one = await ground.endpoint();
    const two = await ground.endpoint();
    const other = await ground.endpoint({ m: await ground.otherTenant() });
    const foreign = [await ground.delivery(two), await ground.delivery(other)];
    for (const { _id } of [...foreign, { _id: 'dlv_1' }]) {
      expect((await browser.get(`/webhooks/${one._id}?test=${_id}`)).status).toBe(404);
    }
  });
});
