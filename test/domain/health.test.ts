import { describe, expect, it } from 'vitest';
import type { DeliveryState } from '../../domain/delivery.ts';
import { delayOf, healthOf } from '../../domain/health.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');

const delivery = (state: DeliveryState, afterMs = 0, tookMs = 5) => ({
  state,
  created_at: CREATED,
  attempts: [{ at: new Date(CREATED.getTime() + afterMs), duration_ms: tookMs }],
});

describe('healthOf', () => {
  it('shows nothing of an endpoint without deliveries', () => {
    const counts = { pending: 0, succeeded: 0, failed: 0, skipped: 0, stopped: 0 };
    expect(healthOf([])).toEqual({ counts, acceptedPercent: null, medianMs: null });
  });

  it('takes the share of those that have ended, and never rounds up to 100', () => {
    const accepted = Array.from({ length: 299 }, () => delivery('succeeded'));
    const others = (['failed', 'pending', 'skipped', 'stopped'] as const).map((state) =>
      delivery(state),
    );
    expect(healthOf([...accepted, ...others])).toMatchObject({
      counts: { succeeded: 299, failed: 1, pending: 1, skipped: 1, stopped: 1 },
      acceptedPercent: 99,
    });
  });

  it.each([
    [[30, 10, 20], 20],
    [[40, 10, 20, 30], 20],
    [[7], 7],
  ])('takes the median of the delays %j as %i ms', (delays, median) => {
    const accepted = delays.map((ms) => delivery('succeeded', 0, ms));
    expect(healthOf([...accepted, delivery('failed', 9_999)]).medianMs).toBe(median);
  });
});

describe('delayOf', () => {
  it('counts from the creation to the end of the last attempt', () => {
    const first = delivery('succeeded', 0, 1).attempts;
    const last = delivery('succeeded', 5_000, 20).attempts;
    expect(delayOf({ ...delivery('succeeded'), attempts: [...first, ...last] })).toBe(5_020);
  });

  it('is 0 without an attempt, and if the clock of the attempt was behind', () => {
    expect(delayOf({ ...delivery('pending'), attempts: [] })).toBe(0);
    expect(delayOf(delivery('succeeded', -3_000))).toBe(0);
  });
});
