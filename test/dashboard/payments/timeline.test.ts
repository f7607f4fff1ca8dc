import { describe, expect, it } from 'vitest';
import { tagsOf } from '../../../domain/call.ts';
import type { Call } from '../../../domain/call.ts';
import { cancelPayment } from '../../../operations/cancel-payment.ts';
import { createRefund } from '../../../operations/create-refund.ts';
import { updatePayment } from '../../../operations/update-payment.ts';
import { insertCalls } from '../../../store/calls.ts';
import { makeKey } from '../../../store/keys.ts';
import { mintId } from '../../../store/mint.ts';
import { recordOpening } from '../../../store/payments.ts';
import { makeEndpoint } from '../../support/rows/endpoint.ts';
import { linesIn, openPayments } from './ground.ts';
import { emptyRequest } from './request.ts';

const ground = await openPayments('dashboard-timeline');
const { mongo, tenant } = ground;
const owner = await ground.signIn('owner');
const endpoint = makeEndpoint({ m: tenant, url: 'https://shop.example/hooks?token=secret' });
await mongo.endpoints.insertOne(endpoint);

const pageOf = async (id: string) => (await owner.get(`/payments/${id}`)).html;
const timelineOf = async (id: string) => linesIn(await pageOf(id), 'timeline');
/** Returns the lines without ids and deliveries. */
const steps = (lines: readonly string[]) =>
  lines.filter((line) => !/^(?:Request-Id|https:|att_|ref_)/.test(line));

/** Returns a request in the log. */
function makeCall(of: Pick<Call, '_id' | 'm' | 'key_id'>): Call {
  const place = { method: 'POST', path: '/v1/payments', status: 201 };
  const rest = { at: new Date(), duration_ms: 42, error: null, body: null, is_cut: false };
  return { ...of, ...place, ...rest, object_id: null, tags: tagsOf(place) };
}

describe('the timeline', () => {
  it('of a paid payment has the request, the opening, the bank, the event and its deliveries', async () => {
    const id = await ground.create();
    await recordOpening(mongo, await ground.read(id), new Date());
    await ground.goToBank(id);
    await ground.decide(id, 'approve');
    await ground.attempt({ status: 500, error: 'status' }, 'pending');
    await ground.attempt({ status: null, error: 'timeout', duration_ms: 15_000 }, 'pending');
    const waiting = await pageOf(id);
    expect(waiting).toMatch(/<div id="live" [^>]*data-live="/);
    expect(linesIn(waiting, 'timeline')).toContainEqual(
      expect.stringContaining('https://shop.example/hooks?... Retrying next attempt'),
    );
    await ground.attempt({ status: 204, duration_ms: 7 }, 'succeeded');
    const html = await pageOf(id);
    expect(html).not.toContain('data-live=');
    expect(html).not.toContain('token=secret');
    // This dashboard knows no address of Temporal's interface.
    expect(html).not.toContain('id="workflow"');
    const row = await mongo.payments.findOne({ _id: id });
    const lines = linesIn(html, 'timeline');
    expect(lines).toEqual([
      'Timeline',
      'Created by the API',
      `Request-Id ${row?.request_id}, Idempotency-Key ${row?.idem?.k}`,
      'The customer opened the checkout page',
      'Attempt 1: to the bank with visa •••• 4242',
      row?.attempts[0]?.id,
      'Attempt 1: the bank approved',
      'Paid',
      'Event payment.completed',
      'https://shop.example/hooks?... Accepted',
      'Attempt 1, : HTTP 500 (34 ms)',
      'Attempt 2, : no response in time (15000 ms)',
      'Attempt 3, : HTTP 204 (7 ms)',
    ]);
  });

  it('of a payment that was declined, then paid', async () => {
    const id = await ground.create();
    await ground.goToBank(id);
    await ground.decide(id, 'insufficient_funds');
    await ground.goToBank(id);
    await ground.decide(id, 'approve');
    expect(steps(await timelineOf(id))).toEqual([
      'Timeline',
      'Created by the API',
      'Attempt 1: to the bank with visa •••• 4242',
      'Attempt 1: declined. There is not enough money on the card',
      'Event payment.attempt_failed',
      'Attempt 2: to the bank with visa •••• 4242',
      'Attempt 2: the bank approved',
      'Paid',
      'Event payment.completed',
    ]);
  });

  it('of an expired and of a failed payment', async () => {
    const expired = await ground.create();
    const message = { kind: 'expire', request_id: mintId('request') } as const;
    await ground.temporal.askPayment(await ground.read(expired), message, mintId('request'));
    expect(await timelineOf(expired)).toEqual(
      expect.arrayContaining(['Expired', 'Event payment.expired']),
    );
    const failed = await ground.create();
    await ground.goToBank(failed);
    await ground.decide(failed, 'lost_or_stolen');
    expect(await timelineOf(failed)).toEqual(
      expect.arrayContaining([
        'Failed: The card is reported lost or stolen',
        'Event payment.failed',
      ]),
    );
  });

  it('of refunded payments has the refunds, by the API and by a person', async () => {
    const id = await ground.create();
    await ground.goToBank(id);
    await ground.decide(id, 'approve');
    const refund = async (amount: number, by: object) => {
      const request = { ...emptyRequest(ground, `refund-${mintId('request')}`), ...by };
      const { text } = await createRefund(request, { payment_id: id, amount });
      return (JSON.parse(text) as { id: string }).id;
    };
    await ground.temporal.settleRefund(await refund(500, {}));
    const actor = { type: 'user', name: owner.user._id } as const;
    await refund(700, { initiatedBy: 'dashboard', actor });
    const html = await pageOf(id);
    expect(html).toMatch(/<div id="live" [^>]*data-live="/);
    expect(steps(linesIn(html, 'timeline')).slice(6)).toEqual([
      'Refund of 500\u00a0AMD requested by the API',
      'Event refund.created',
      'Refund of 500\u00a0AMD completed',
      'Event refund.completed',
      'Event payment.refunded',
      `Refund of 700\u00a0AMD requested by ${owner.user.email}`,
      'Event refund.created',
    ]);
    expect(html).toContain('Partly refunded');
    expect(html).toContain('11,300\u00a0AMD');
  });

  it('of a visit that was turned back, and of an approval that came too late', async () => {
    const bank = {
      outcome: 'bank_query',
      says: { answer: 'approved' },
      decided_at: new Date(Date.now() + 1_000),
      due_at: new Date(),
      request_id: null,
    } as const;
    const id = await ground.create();
    await ground.goToBank(id);
    const set = { turned_back_at: new Date(), gave_up_at: new Date(), bank, status: 'reversed' };
    const changes = Object.entries(set).map(([key, value]) => [`attempts.0.${key}`, value]);
    await mongo.payments.updateOne({ _id: id }, { $set: Object.fromEntries(changes) });
    const late = 'Attempt 1: the bank approved too late, so the approval is given back';
    expect(steps(await timelineOf(id)).slice(3)).toEqual([
      'Attempt 1: the customer turned back from the bank',
      'Attempt 1: it is being canceled at the bank',
      late,
    ]);
    await mongo.payments.updateOne({ _id: id }, { $unset: { 'attempts.0.turned_back_at': '' } });
    expect(steps(await timelineOf(id)).slice(3)).toEqual([
      'Attempt 1: the bank did not answer in time, so it is being canceled there',
      late,
    ]);
  });

  it('of a changed payment has the names of what changed, and the API key', async () => {
    const id = await ground.create();
    const key = { ...makeKey(ground.merchant._id, 'test', new Date()).key, name: 'Till 3' };
    await mongo.keys.insertOne(key);
    const request = { ...emptyRequest(ground, undefined), keyId: key._id };
    await updatePayment(request, { id, description: 'Tea', metadata: { basket: 'b-1' } });
    expect(steps(await timelineOf(id)).slice(1)).toEqual([
      'Created by the API',
      'the API key Till 3: Payment changed',
      'description, metadata.basket',
    ]);
    const { html: audit } = await owner.get('/audit');
    expect(audit).toContain('the API key Till 3');
    expect(audit).toContain('metadata.basket');
    const support = await ground.signIn('support');
    const seen = linesIn((await support.get(`/payments/${id}`)).html, 'timeline');
    expect(steps(seen)).toContain('API: Payment changed');
    expect(seen.join()).not.toContain('Till 3');
  });

  it('puts nothing before its cause if the clocks of hosts differ', async () => {
    const id = await ground.create();
    await ground.goToBank(id);
    await ground.decide(id, 'approve');
    const request = emptyRequest(ground, mintId('request'));
    const { text } = await createRefund(request, { payment_id: id });
    await ground.temporal.settleRefund((JSON.parse(text) as { id: string }).id);
    const lines = steps(await timelineOf(id));
    const early = new Date(Date.now() - 60_000);
    const times = { completed_at: early, checkout_opened_at: early, 'attempts.0.opened_at': early };
    await mongo.payments.updateOne({ _id: id }, { $set: times });
    await mongo.refunds.updateMany({ payment_id: id }, { $set: { updated_at: early } });
    await mongo.events.updateMany({ payment_id: id }, { $set: { created_at: early } });
    const opened = 'The customer opened the checkout page';
    expect(steps(await timelineOf(id))).toEqual(lines.toSpliced(2, 0, opened));
  });

  it('leads developers to requests in the log, events and deliveries, and names the key', async () => {
    const id = await ground.create();
    const { request_id = '' } = (await mongo.payments.findOne({ _id: id }))!;
    const request = emptyRequest(ground, undefined);
    await cancelPayment(request, { id });
    const key = makeKey(ground.merchant._id, 'test', new Date()).key;
    await mongo.keys.insertOne({ ...key, name: 'Till 2' });
    await insertCalls(
      mongo,
      [request_id, request.id].map((_id) => makeCall({ _id, m: tenant, key_id: key._id })),
    );
    const event = await mongo.events.findOne({ payment_id: id });
    const delivery = await mongo.deliveries.findOne({ event_id: event?._id ?? '' });
    const links = [
      `/developers/requests/${request_id}`,
      `/developers/requests/${request.id}`,
      `/developers/events/${event?._id}`,
    ];
    const html = await pageOf(id);
    for (const to of [...links, `/deliveries/${delivery?._id}`]) {
      expect(html).toContain(`<a href="${to}">`);
    }
    expect(steps(linesIn(html, 'timeline')).slice(1)).toEqual([
      'Created by the API with the key Till 2',
      'Canceled by the API key Till 2',
      'Event payment.canceled',
    ]);
    const support = await ground.signIn('support');
    const { html: seen } = await support.get(`/payments/${id}`);
    expect(links.filter((to) => seen.includes(to))).toEqual([]);
    expect(seen).toContain(`<a href="/deliveries/${delivery?._id}">`);
    expect(linesIn(seen, 'timeline').slice(1, 4)).toEqual([
      'Created by the API',
      'Canceled by the merchant',
      'Event payment.canceled',
    ]);
  });
});
