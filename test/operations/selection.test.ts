import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, TRIAL } from '../../domain/event.ts';
import type { Event } from '../../domain/event.ts';
import { mintId } from '../../store/mint.ts';
import type { Wanted } from '../../store/selection.ts';
import { eventsOf, failuresIn, notSent } from '../../operations/selection.ts';
import { makeEvent } from '../support/rows/endpoint.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_named');

describe('failuresIn', () => {
  it.each(['', 'pending', 'failed,succeeded', 'Failed'])('refuses %j', (states) => {
    expect(() => failuresIn(states)).toThrow('failed, skipped, stopped');
  });

  it('accepts a list', () => {
    expect(failuresIn('failed, skipped')).toEqual({
      kind: 'deliveries',
      states: ['failed', 'skipped'],
    });
  });
});

describe('eventsOf', () => {
  it.each([
    [{ events: 'payment.paid' }, 'payment.paid'],
    [{ payment: 'pay_1' }, 'pay_1'],
    [{ ids: 'evt_1' }, 'evt_1'],
    [{ ids: Array.from({ length: 101 }, () => mintId('event')).join(',') }, 'At most 100'],
  ])('refuses %j', (chosen, says) => {
    expect(() => eventsOf(chosen)).toThrow(says);
  });

  it('accepts all types, a family, or names, and returns each type once', () => {
    expect(eventsOf({})).toMatchObject({ types: EVENT_TYPES, payment_id: null, ids: null });
    expect(eventsOf({ events: 'refund.failed,refund.*' })).toMatchObject({
      types: ['refund.created', 'refund.completed', 'refund.failed', 'refund.canceled'],
    });
  });
});

async function stored(over: Partial<Event> = {}): Promise<string> {
  const row = makeEvent({ m: ground.m, type: 'payment.completed', payment_id: 'pay_1', ...over });
  await ground.mongo.events.insertOne(row);
  return row._id;
}

async function reasonsFor(ids: readonly string[] | null, over: Partial<Wanted> = {}) {
  const endpoint = await ground.endpoint({ enabled_events: ['payment.*', 'webhook_endpoint.*'] });
  const selection = eventsOf(ids === null ? {} : { ids: ids.join(',') });
  const [from, until] = [new Date(0), new Date(Date.now() + 60_000)];
  const wanted = { m: ground.m, endpoint_id: endpoint._id, selection, from, until, ...over };
  return notSent(ground.mongo, endpoint, wanted);
}

const only = (id: string, over: object) => ({ ...eventsOf({ ids: id }), ...over });

describe('notSent', () => {
  it('returns nothing if no events are named', async () => {
    expect(await reasonsFor(null)).toEqual({});
    expect(await reasonsFor(null, { selection: failuresIn('failed') })).toEqual({});
  });

  it('returns the reason for each event that is not sent', async () => {
    const ids = [
      await stored(),
      await stored({ type: 'refund.failed' }),
      await stored({ cause: `we_1${TRIAL}${mintId('event')}` }),
      await stored({ type: 'webhook_endpoint.ping' }),
    ];
    const { not_sent: reasons } = await reasonsFor(ids);
    const trial = expect.stringContaining('ping or an example');
    expect(reasons?.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: ids[1], why: 'The endpoint does not subscribe to refund.failed.' },
      { id: ids[2], why: trial },
      { id: ids[3], why: trial },
    ]);
  });

  it.each<[string, (id: string) => object]>([
    ['types', (id) => ({ selection: only(id, { types: ['payment.failed'] }) })],
    ['payment', (id) => ({ selection: only(id, { payment_id: 'pay_2' }) })],
    ['start of the time range', () => ({ from: new Date(Date.now() + 30_000) })],
    ['end of the time range', () => ({ until: new Date(1) })],
  ])('returns events as not sent if they are outside of the %s', async (_, over) => {
    const id = await stored();
    expect(await reasonsFor([id])).toEqual({ not_sent: [] });
    const why = 'It does not match the types, payment or time asked for.';
    expect(await reasonsFor([id], over(id))).toEqual({ not_sent: [{ id, why }] });
  });

  it("refuses an event that is not the merchant's", async () => {
    const foreign = await stored({ m: 'mer_2:test' });
    for (const wrong of [foreign, mintId('event')]) {
      const ask = reasonsFor([await stored(), wrong]);
      await expect(ask).rejects.toThrow(`no event ${wrong}.`);
      expect(await refusalOf(ask)).toEqual(['resource_missing', 'ids']);
    }
  });
});
