import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../domain/event.ts';
import { SAMPLE_OBJECTS } from '../../domain/samples.ts';

/** Returns every time in an object, with the name of its field. */
function timesIn(value: object): [string, number][] {
  return Object.entries(value).flatMap(([name, each]): [string, number][] => {
    if (typeof each === 'object' && each !== null) return timesIn(each as object);
    return /_at$|_since$/.test(name) && typeof each === 'string' ? [[name, Date.parse(each)]] : [];
  });
}

describe('the samples', () => {
  it.each(EVENT_TYPES)('for %s has an object of that kind', (type) => {
    expect(SAMPLE_OBJECTS[type].object).toBe(type.split('.')[0]);
  });

  it.each(EVENT_TYPES.filter((type) => type !== 'webhook_endpoint.ping'))(
    'for %s was last changed by the event',
    (type) => {
      const sample = SAMPLE_OBJECTS[type];
      const [made, changed] = [Date.parse(sample.created_at), Date.parse(sample.updated_at)];
      expect(made).toBeLessThanOrEqual(changed);
      for (const [name, at] of timesIn(sample)) {
        if (name !== 'expires_at') expect([name, at <= changed]).toEqual([name, true]);
        expect([name, at >= made]).toEqual([name, true]);
      }
    },
  );

  it('tell the story of one order', () => {
    const { 'payment.completed': paid, 'payment.refunded': back } = SAMPLE_OBJECTS;
    const refund = SAMPLE_OBJECTS['refund.completed'];
    expect(refund.payment_id).toBe(paid.id);
    expect(back.amount_refunded).toBe(refund.amount);
    expect(back.amount_refundable).toBe(paid.amount - refund.amount);
  });
});
