import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, eventBody } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { exampleObject } from '../../domain/example.ts';
import { mintId } from '../../store/mint.ts';
import { faultsBy } from '../api/contract.ts';

const NOW = new Date('2026-05-04T03:02:01.234Z');
const HOW = { now: NOW, mintId };

const idsIn = (object: object): string[] =>
  JSON.stringify(object).match(/"(?:pay|att|ref|we)_\w+"/g) ?? [];

describe('exampleObject', () => {
  it.each(EVENT_TYPES)('returns a %s that fits the documented schema', (type) => {
    const about = { id: mintId('event'), type, createdAt: NOW, livemode: false, request: null };
    const body = eventBody({ ...about, object: exampleObject(type, HOW) });
    expect(faultsBy('#/components/schemas/Event', JSON.parse(body))).toBe('');
  });

  it.each<[EventType, object]>([
    ['payment.completed', { status: 'completed', amount_refunded: 0, amount_refundable: 12_500 }],
    ['payment.attempt_failed', { status: 'created', attempts_count: 1, failure_code: null }],
    ['payment.failed', { status: 'failed', failure_code: 'suspected_fraud' }],
    ['payment.canceled', { status: 'canceled', cancellation: { by: 'merchant' } }],
    ['payment.expired', { status: 'expired', payment_method: null }],
    [
      'payment.refunded',
      { status: 'completed', amount_refunded: 2_500, amount_refundable: 10_000 },
    ],
    ['refund.created', { status: 'pending', completed_at: null }],
    ['refund.completed', { status: 'completed', amount: 2_500 }],
    ['refund.failed', { status: 'failed', failure_code: 'refund_declined' }],
    ['refund.canceled', { status: 'canceled', failure_code: null }],
    ['webhook_endpoint.disabled', { status: 'disabled', disabled_reason: 'failing' }],
  ])('returns a %s with the state after the event', (type, object) => {
    expect(exampleObject(type, HOW)).toMatchObject(object);
  });

  it.each(EVENT_TYPES)('returns a %s with the present time and new ids', (type) => {
    const [one, two] = [exampleObject(type, HOW), exampleObject(type, HOW)];
    expect(one['updated_at']).toBe(NOW.toISOString());
    expect(idsIn(one).length).toBeGreaterThan(0);
    expect(idsIn(one).filter((id) => idsIn(two).includes(id))).toEqual([]);
    expect(one['description']).toMatch(/^An example/);
    if ('metadata' in one) expect(one['metadata']).toEqual({ tollgate_example: 'true' });
    if ('order_id' in one) expect(one['order_id']).toMatch(/^example-[0-9a-z]{8}$/);
  });
});
