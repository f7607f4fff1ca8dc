import { describe, expect, it } from '@jest/globals';
import { deliveryStateFor, subscribes } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';

describe('subscribes', () => {
  it.each([
    [[], 'payment.completed', false],
    [['refund.*'], 'payment.completed', false],
    [['payment.failed', 'refund.*'], 'payment.completed', false],
    [['no.such.type'], 'payment.completed', false],
    [['payment.completed'], 'payment.completed', true],
    [['refund.*', 'payment.*'], 'payment.completed', true],
    [['payment.*'], 'webhook_endpoint.ping', false],
  ] as const)('%j hears of %s: %s', (selectors, type, hears) => {
    expect(subscribes(selectors, type)).toBe(hears);
  });

  it('hears of everything with *', () => {
    for (const type of EVENT_TYPES) expect(subscribes(['*'], type)).toBe(true);
  });
});

describe('deliveryStateFor', () => {
  const states: Record<Endpoint['status'], 'pending' | 'skipped' | undefined> = {
    enabled: 'pending',
    disabled: 'skipped',
    deleted: undefined,
  };
  const statuses = Object.entries(states) as [Endpoint['status'], (typeof states)['enabled']][];

  it.each(statuses)('an endpoint that does not subscribe gets none: %s', (status) => {
    const endpoint = { status, enabled_events: ['refund.*'] };
    expect(deliveryStateFor(endpoint, 'payment.completed')).toBeUndefined();
  });

  it.each(statuses)('an endpoint that is %s and subscribes gets: %s', (status, state) => {
    const endpoint = { status, enabled_events: ['payment.*'] };
    expect(deliveryStateFor(endpoint, 'payment.completed')).toBe(state);
  });
});
