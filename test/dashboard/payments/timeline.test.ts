import { describe, expect, it } from 'vitest';
import { createRefund } from '../../../operations/create-refund.ts';
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
  lines.filter((line) => !/^(?:Request-Id|Idempotency-Key|Event evt_|https:)/.test(line));
const IDS = { Attempt: expect.stringMatching(/^Attempt att_/) };

describe('the timeline', () => {
  it('of a paid payment has the request, the opening, the bank, the event and its deliveries', async () => {
    const id = await ground.create();
    await recordOpening(mongo, await ground.read(id), new Date());
    await ground.goToBank(id);
    await ground.decide(id, 'approve');
    await ground.attempt({ status: 500, error: 'status' }, 'pending');
    await ground.attempt({ status: null, error: 'timeout', duration_ms: 15_000 }, 'pending');
    const waiting = await pageOf(id);
    expect(waiting).toContain('<div id="live" data-live');
    expect(linesIn(waiting, 'timeline')).toContainEqual(
      expect.stringContaining('not accepted yet, next attempt'),
    );
    await ground.attempt({ status: 204, duration_ms: 7 }, 'succeeded');
    const html = await pageOf(id);
    expect(html).toContain('<div id="live">');
    expect(html).not.toContain('token=secret');
    const row = await mongo.payments.findOne({ _id: id });
    const lines = linesIn(html, 'timeline');
    expect(lines).toEqual([
      'Timeline',
      'Created by the API',
      `Request-Id ${row?.request_id}`,
      `Idempotency-Key ${row?.idem?.k}`,
      'The customer opened the checkout page',
      'Attempt 1: to the bank with visa •••• 4242',
      IDS.Attempt,
      'Attempt 1: the bank approved',
      'Paid',
      'Event payment.completed',
      expect.stringMatching(/^Event evt_/),
      'https://shop.example/hooks accepted',
      'Attempt 1, : 500 (34 ms)',
      'Attempt 2, : timeout (15000 ms)',
      'Attempt 3, : 204 (7 ms)',
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
      IDS.Attempt,
      'Attempt 1: There is not enough money on the card',
      'Event payment.attempt_failed',
      'Attempt 2: to the bank with visa •••• 4242',
      IDS.Attempt,
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
    expect(html).toContain('<div id="live" data-live');
    const lines = linesIn(html, 'timeline');
    const wanted = [
      'Refund of ֏500 requested by the API',
      'Refund of ֏500 completed',
      'Event payment.refunded',
      `${owner.user.email} started a refund`,
      'Refund of ֏700 requested in the dashboard',
    ];
    expect(lines.filter((line) => wanted.includes(line)).toSorted()).toEqual(wanted.toSorted());
    expect(lines.indexOf(wanted[0]!)).toBeLessThan(lines.indexOf(wanted[1]!));
    expect(html).toContain('Partly refunded');
    expect(html).toContain('֏11,300');
  });

  it('of a visit that was turned back, and of an approval that came too late', async () => {
    const bank = {
      outcome: 'bank_query',
      says: { answer: 'approved' },
      decided_at: new Date(),
      due_at: new Date(),
      request_id: null,
    } as const;
    const id = await ground.create();
    await ground.goToBank(id);
    const set = { turned_back_at: new Date(), gave_up_at: new Date(), bank, status: 'reversed' };
    const changes = Object.entries(set).map(([key, value]) => [`attempts.0.${key}`, value]);
    await mongo.payments.updateOne({ _id: id }, { $set: Object.fromEntries(changes) });
    expect(await timelineOf(id)).toEqual(
      expect.arrayContaining([
        'Attempt 1: the customer turned back from the bank',
        'Attempt 1: it is being canceled at the bank',
        'Attempt 1: the bank approved too late, so the approval is given back',
      ]),
    );
  });

  it('has the newest 40 events and 50 deliveries, in less than 60 KiB', async () => {
    const { _id: id } = await ground.put({ status: 'completed' });
    const attempts = Array.from({ length: 12 }, (_, n) => ({
      number: n + 1,
      at: new Date(),
      duration_ms: 15_000,
      status: null,
      error: 'connection_reset' as const,
    }));
    for (let n = 0; n < 45; n += 1) {
      const event = { _id: mintId('event'), m: tenant, payment_id: id, created_at: new Date() };
      const type = 'payment.refunded' as const;
      await mongo.events.insertOne({ ...event, type, cause: event._id, body: '{"request":null}' });
      await mongo.deliveries.insertMany(
        Array.from({ length: 2 }, () => ({
          _id: mintId('delivery'),
          m: tenant,
          endpoint_id: endpoint._id,
          event_id: event._id,
          state: 'failed' as const,
          attempts,
          next_attempt_at: null,
          created_at: new Date(),
        })),
      );
    }
    const html = await pageOf(id);
    const lines = linesIn(html, 'timeline');
    expect(lines.filter((line) => line === 'Event payment.refunded')).toHaveLength(40);
    expect(lines.filter((line) => line.includes('failed'))).toHaveLength(50);
    expect(lines.filter((line) => line === '9 earlier attempts are not shown.')).toHaveLength(50);
    expect(lines[1]).toBe('Only the newest events and deliveries are shown.');
    const css = await owner.get('/assets/dashboard.css');
    const js = await owner.get('/assets/dashboard.js');
    const sent = [css, js].map(({ headers }) => Number(headers.get('content-length')));
    const all = sent.reduce((sum, each) => sum + each, Buffer.byteLength(html));
    expect(all).toBeLessThan(60 * 1024);
  });
});
