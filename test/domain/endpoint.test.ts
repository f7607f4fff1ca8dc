import { describe, expect, it } from 'vitest';
import {
  MAX_LIVE_SECRETS,
  deliveryStateFor,
  liveSecrets,
  subscribes,
  withNewSecret,
  shownUrl,
} from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { at } from './situation.ts';

describe('subscribes', () => {
  it.each([
    [[], 'payment.completed', false],
    [['refund.*'], 'payment.completed', false],
    [['payment.failed', 'refund.*'], 'payment.completed', false],
    [['no.such.type'], 'payment.completed', false],
    [['payment.completed'], 'payment.completed', true],
    [['refund.*', 'payment.*'], 'payment.completed', true],
    [['payment.*'], 'webhook_endpoint.ping', false],
  ] as const)('%j includes %s: %s', (selectors, type, expected) => {
    expect(subscribes(selectors, type)).toBe(expected);
  });

  it('includes every type with *', () => {
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

  it.each(statuses)('is undefined for an endpoint that does not subscribe: %s', (status) => {
    const endpoint = { status, enabled_events: ['refund.*'] };
    expect(deliveryStateFor(endpoint, 'payment.completed')).toBeUndefined();
  });

  it.each(statuses)('for an endpoint that is %s and subscribes is %s', (status, state) => {
    const endpoint = { status, enabled_events: ['payment.*'] };
    expect(deliveryStateFor(endpoint, 'payment.completed')).toBe(state);
  });
});

const fresh = (name: string) => ({ secret: name, hint: name.slice(-1) });

describe('withNewSecret', () => {
  const MINUTE_MS = 60_000;
  const endpoint = makeEndpoint({ m: 'mer_1:test', secret: 'one', secret_hint: '1' });

  it('signs with both secrets until the end of the overlap', () => {
    const rotated = withNewSecret(endpoint, fresh('two'), { overlapMs: MINUTE_MS, now: at(0) })!;
    expect(rotated).toMatchObject({ secret: 'two', secret_hint: 'o' });
    expect(liveSecrets(rotated, at(0))).toEqual(['two', 'one']);
    expect(liveSecrets(rotated, new Date(at(1).getTime() - 1))).toEqual(['two', 'one']);
    expect(liveSecrets(rotated, at(1))).toEqual(['two']);
  });

  it('expires all other secrets at once without an overlap', () => {
    const first = withNewSecret(endpoint, fresh('two'), { overlapMs: MINUTE_MS, now: at(0) })!;
    const second = withNewSecret(first, fresh('three'), { overlapMs: 0, now: at(0) })!;
    expect(second.previous_secrets).toEqual([]);
    expect(liveSecrets(second, at(0))).toEqual(['three']);
  });

  it('refuses more than the maximum, and removes expired ones', () => {
    let current = endpoint;
    for (let n = 1; n < MAX_LIVE_SECRETS; n += 1) {
      current = withNewSecret(current, fresh(`n${n}`), { overlapMs: MINUTE_MS, now: at(0) })!;
    }
    expect(liveSecrets(current, at(0))).toHaveLength(MAX_LIVE_SECRETS);
    const more = { overlapMs: MINUTE_MS, now: at(0) };
    expect(withNewSecret(current, fresh('more'), more)).toBeUndefined();
    const later = withNewSecret(current, fresh('more'), { ...more, now: at(1) })!;
    expect(later.previous_secrets).toHaveLength(1);
  });
});

describe('shownUrl', () => {
  it.each([
    ['https://shop.example/hooks?token=sesame', 'https://shop.example/hooks?...'],
    ['https://shop.example:8443/', 'https://shop.example:8443/'],
    ['https://shop.example/hooks#part', 'https://shop.example/hooks'],
  ])('of %s is %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });
});
