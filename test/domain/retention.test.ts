import { describe, expect, it } from 'vitest';
import { timeOf } from '../../domain/id.ts';
import { DEFAULT_RETENTION_DAYS, oldestKeptDelivery } from '../../domain/retention.ts';

const NOW_MS = Date.parse('2026-04-01T12:00:00.000Z');

describe('oldestKeptDelivery', () => {
  it.each([
    [1, '2026-03-31T12:00:00.000Z'],
    [DEFAULT_RETENTION_DAYS, '2026-01-01T12:00:00.000Z'],
    [3_650, '2016-04-03T12:00:00.000Z'],
  ])('of %i days was created at %s', (days, at) => {
    const id = oldestKeptDelivery(NOW_MS, days);
    expect(new Date(timeOf(id)).toISOString()).toBe(at);
    expect(id).toMatch(/^dlv_.{10}0{16}$/);
  });

  it('is 90 days old by default', () => {
    expect(DEFAULT_RETENTION_DAYS).toBe(90);
  });
});
