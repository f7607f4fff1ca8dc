import { beforeEach, describe, expect, it } from 'vitest';
import {
  RESPONDED,
  SLOTS,
  exchange,
  fill,
  worker,
  resetGate,
  failRequests,
  waitOf,
  endpoint,
} from './gate-harness.ts';

beforeEach(() => resetGate());

describe('a receiver', () => {
  it('gets 20 requests at once and no more', () => {
    const passes = fill('we_1');
    expect(passes).toHaveLength(20);
    passes[0]!.leave(RESPONDED);
    expect(fill('we_1')).toHaveLength(1);
  });

  it('gets fewer requests at once from a busier worker', () => {
    const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => fill(id).length);
    expect(counts[0]).toBe(20);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const taken = counts.reduce((sum, count) => sum + count, 0);
    expect(taken).toBeLessThan(SLOTS);
    expect(fill('healthy').length).toBeGreaterThan(0);
  });

  it('leaves half of the slots to other merchants', () => {
    const ids = Array.from({ length: 16 }, (_, index) => `we_${index}`);
    const taken = ids.flatMap((id) => fill(id, SLOTS, 'crowding'));
    // Beyond that half, each receiver still has one slot, so that slow ones never stop the others.
    expect(taken.length).toBeGreaterThanOrEqual(SLOTS / 2);
    expect(taken.length).toBeLessThan(SLOTS / 2 + ids.length);
    expect(fill('we_16', SLOTS, 'crowding')).toHaveLength(1);
    expect(fill('healthy').length).toBeGreaterThanOrEqual(SLOTS / 20);
  });

  it('gets waiting deliveries at the rate that it can handle', () => {
    exchange('we_1', { tookMs: 10_000 });
    const passes = fill('we_1');
    // An average of 2 s with 20 at once is one request every 100 ms.
    const waits = Array.from({ length: 100 }, () => waitOf('we_1'));
    expect(waits[0]).toBe(500);
    const expected = Array.from({ length: 90 }, (_, index) => 1_200 + index * 100);
    expect(waits.slice(10)).toEqual(expected);
    for (const pass of passes) pass.leave(RESPONDED);
  });

  it('does not make new deliveries queue once it has room again', () => {
    exchange('we_1', { tookMs: 10_000 });
    const passes = fill('we_1');
    for (let i = 0; i < 500; i += 1) waitOf('we_1');
    for (const pass of passes.splice(0, 9)) pass.leave(RESPONDED);
    fill('we_1');
    expect(waitOf('we_1')).toBeGreaterThan(40_000);
    for (const pass of passes.splice(0, 10)) pass.leave(RESPONDED);
    fill('we_1');
    expect(waitOf('we_1')).toBe(500);
  });

  it('is not counted as slow after one pause of this machine', () => {
    for (let i = 0; i < 50; i += 1) exchange('we_1', { tookMs: 50 });
    const stalled = fill('we_1');
    worker.nowMs += 10_000;
    for (const pass of stalled) pass.leave({ responded: true, tookMs: 10_000 });
    fill('we_1');
    const waits = Array.from({ length: 120 }, () => waitOf('we_1'));
    expect(Math.max(...waits)).toBeLessThan(15_000);
  });

  it('is slow even if every other response is quick', () => {
    for (let i = 0; i < 20; i += 1) {
      const [quick, slow] = fill('we_1', 2);
      worker.nowMs += 3_000;
      quick!.leave({ responded: true, tookMs: 50 });
      slow!.leave({ responded: true, tookMs: 3_000 });
    }
    expect(worker.gate.foresee(endpoint('we_1'))).toEqual({ waitMs: 0 });
  });

  it('is quick again after four quick responses', () => {
    exchange('we_1', { tookMs: 10_000 });
    expect(worker.gate.foresee(endpoint('we_1'))).toEqual({ waitMs: 0 });
    for (let i = 0; i < 4; i += 1) exchange('we_1', { tookMs: 50 });
    expect(worker.gate.foresee(endpoint('we_1'))).toBeNull();
  });

  it('has separate queues for events and replays', () => {
    exchange('we_1', { tookMs: 10_000 });
    fill('we_1');
    for (let i = 0; i < 500; i += 1) waitOf('we_1', 'replay');
    expect(waitOf('we_1', 'replay')).toBeGreaterThan(40_000);
    expect(waitOf('we_1')).toBe(500);
    expect(waitOf('we_1', 'manual')).toBe(500);
  });

  it('does not make a test delivery queue', () => {
    exchange('we_1', { tookMs: 10_000 });
    fill('we_1');
    for (let i = 0; i < 500; i += 1) waitOf('we_1');
    expect(waitOf('we_1', 'test')).toBe(500);
  });
});

describe('a new delivery', () => {
  it('has no delay if the receiver is unknown or has room', () => {
    expect(worker.gate.foresee(endpoint('we_1'))).toBeNull();
    fill('we_1', 19);
    expect(worker.gate.foresee(endpoint('we_1'))).toBeNull();
    expect(fill('we_1')).toHaveLength(1);
  });

  it('has a delay of 0 if the receiver is slow and has room', () => {
    exchange('we_1', { tookMs: 5_000 });
    expect(worker.gate.foresee(endpoint('we_1'))).toBeNull();
    exchange('we_1', { tookMs: 5_000 });
    expect(worker.gate.foresee(endpoint('we_1'))).toEqual({ waitMs: 0 });
    expect(fill('we_1')).toHaveLength(20);
  });

  it('queues behind the deliveries that were turned away', () => {
    exchange('we_1', { tookMs: 10_000 });
    fill('we_1');
    const waits = Array.from({ length: 20 }, () => waitOf('we_1'));
    expect(worker.gate.foresee(endpoint('we_1'))).toEqual({ waitMs: waits.at(-1)! + 100 });
    expect(waitOf('we_1')).toBe(waits.at(-1)! + 200);
  });

  it('queues for a silent receiver, and uses no probe', () => {
    failRequests(5);
    const [first, second] = [
      worker.gate.foresee(endpoint('we_1'))!,
      worker.gate.foresee(endpoint('we_1'))!,
    ];
    expect(first.waitMs).toBe(1_100);
    expect(second.waitMs).toBe(1_200);
    worker.nowMs += 1_000;
    expect(fill('we_1')).toHaveLength(1);
  });
});

describe('delays', () => {
  it('vary upwards by up to a fifth', () => {
    resetGate(0.999);
    fill('we_1');
    expect(waitOf('we_1')).toBe(600);
  });
});
