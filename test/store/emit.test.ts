import { describe, expect, it } from 'vitest';
import { emitEvent, emitToOthers } from '../../store/emit.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Event } from '../../domain/event.ts';
import { duplicateOf } from '../../store/mongo.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openDatabase } from '../support/mongo.ts';
import { closeAfterTests } from '../support/close.ts';

const mongo = closeAfterTests(await openDatabase('emit'));

const emit = async (event: Event) =>
  mongo.transact(async (session) => emitEvent(mongo, session, event));
const rowsOf = async (tenant: string) => mongo.deliveries.find({ m: tenant }).toArray();

describe('emitEvent', () => {
  it('writes nothing if the cause already has an event', async () => {
    const { m: tenant } = makePayment();
    await mongo.endpoints.insertOne(makeEndpoint({ m: tenant }));
    await emit(makeEvent({ m: tenant, cause: `${tenant}:once` }));
    const again = emit(makeEvent({ m: tenant, cause: `${tenant}:once` }));
    expect(duplicateOf(await again.catch((error: unknown) => error))).toBe('cause');
    expect(await mongo.events.countDocuments({ m: tenant })).toBe(1);
    expect(await rowsOf(tenant)).toHaveLength(1);
  });

  it.each<[string, Partial<Endpoint>, string | undefined]>([
    ['subscribes to everything', { enabled_events: ['*'] }, 'pending'],
    ['subscribes to the type', { enabled_events: ['refund.failed', 'payment.expired'] }, 'pending'],
    ['subscribes to the family', { enabled_events: ['payment.*'] }, 'pending'],
    ['is disabled by hand', { status: 'disabled', disabled_reason: 'merchant' }, 'skipped'],
    ['is disabled as failing', { status: 'disabled', disabled_reason: 'failing' }, 'skipped'],
    ['subscribes to other types', { enabled_events: ['payment.completed', 'refund.*'] }, undefined],
    ['subscribes to nothing', { enabled_events: [] }, undefined],
    [
      'is disabled and subscribes to other types',
      { status: 'disabled', enabled_events: ['refund.*'] },
      undefined,
    ],
    ['is deleted', { status: 'deleted' }, undefined],
  ])('creates the right delivery for an endpoint that %s', async (_, overrides, state) => {
    const { m: tenant } = makePayment();
    const endpoint = makeEndpoint({ m: tenant, ...overrides });
    const event = makeEvent({ m: tenant, type: 'payment.expired' });
    await mongo.endpoints.insertOne(endpoint);
    const toBeMade = await emit(event);
    const rows = await rowsOf(tenant);
    expect(rows.map((row) => row.state)).toEqual(state ? [state] : []);
    expect(toBeMade.map((row) => row._id)).toEqual(
      rows.filter((row) => row.state === 'pending').map((row) => row._id),
    );
    for (const row of rows) {
      expect(row).toMatchObject({ endpoint_id: endpoint._id, event_id: event._id, attempts: [] });
      const due = row.state === 'pending' ? event.created_at : null;
      expect(row.next_attempt_at).toEqual(due);
    }
  });
});

describe('emitToOthers', () => {
  it('writes no delivery for the endpoint that the event is about', async () => {
    const { m: tenant } = makePayment();
    const about = makeEndpoint({ m: tenant, status: 'disabled' });
    const others = [makeEndpoint({ m: tenant }), makeEndpoint({ m: tenant, status: 'disabled' })];
    const stranger = makeEndpoint({ m: makePayment().m });
    await mongo.endpoints.insertMany([about, ...others, stranger]);
    const event = makeEvent({ m: tenant, type: 'webhook_endpoint.disabled' });
    const toBeMade = await mongo.transact(async (session) =>
      emitToOthers(mongo, session, { event, about }),
    );
    const made = mongo.deliveries.find({ event_id: event._id });
    const rows = await made.sort({ endpoint_id: 1 }).toArray();
    expect(rows).toMatchObject([
      { m: tenant, endpoint_id: others[0]?._id, state: 'pending' },
      { m: tenant, endpoint_id: others[1]?._id, state: 'skipped' },
    ]);
    expect(toBeMade).toEqual(rows.slice(0, 1));
    expect(await mongo.events.countDocuments({ m: tenant })).toBe(1);
  });
});
