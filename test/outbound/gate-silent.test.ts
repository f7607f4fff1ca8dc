import { beforeEach, describe, expect, it } from 'vitest';
import type { Pass } from '../../outbound/gate.ts';
import {
  RESPONDED,
  SILENT,
  exchange,
  fill,
  worker,
  resetGate,
  failRequests,
  waitOf,
  endpoint,
} from './gate-harness.ts';

beforeEach(() => resetGate());

describe('a receiver that does not respond', () => {
  it('accepts requests without a limit after four failures', () => {
    failRequests(4);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is probed with one request at a time after five failures, at growing intervals', () => {
    failRequests(5);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(waitOf('we_1')).toBeGreaterThanOrEqual(pauseMs);
      worker.nowMs += pauseMs - 1;
      waitOf('we_1');
      worker.nowMs += 1;
      const [probe] = fill('we_1');
      expect(fill('we_1')).toEqual([]);
      probe!.leave(SILENT);
    }
  });

  it('still gets test deliveries', () => {
    failRequests(9);
    const trial = worker.gate.enter(endpoint('we_1'), 'test');
    expect(trial).toHaveProperty('leave');
  });

  it('is probed a second after many requests failed together', () => {
    for (const pass of fill('we_1')) pass.leave(SILENT);
    worker.nowMs += 1_000;
    const [probe] = fill('we_1', 1);
    probe!.leave(RESPONDED);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('gets all deliveries of a restart within 10 s', () => {
    for (const pass of fill('we_1')) pass.leave(SILENT);
    const waits = Array.from({ length: 60 }, () => waitOf('we_1'));
    expect(Math.max(...waits)).toBeLessThan(10_000);
  });

  it('makes at most two of 2,000 waiting deliveries return in a second', () => {
    failRequests(12);
    const backAt = Array.from({ length: 2_000 }, () => worker.nowMs + waitOf('we_1'));
    const probes: Pass[] = [];
    let returns = 0;
    for (const end = worker.nowMs + 3_600_000; ; returns += 1) {
      const next = Math.min(...backAt);
      if (next > end) break;
      worker.nowMs = next;
      const outcome = worker.gate.enter(endpoint('we_1'));
      if ('waitMs' in outcome) backAt[backAt.indexOf(next)] = worker.nowMs + outcome.waitMs;
      else {
        outcome.leave(SILENT);
        probes.push(outcome);
        // A failed attempt is retried after more than this hour.
        backAt[backAt.indexOf(next)] = end + 1;
      }
    }
    expect(returns).toBeLessThanOrEqual(2 * 3_600);
    expect(returns).toBeGreaterThan(3_600);
    // One probe a minute, each of them on time.
    expect(probes.length).toBeGreaterThan(55);
    expect(probes.length).toBeLessThanOrEqual(60);
  });

  it('gets all of 2,000 waiting deliveries within 20 min', () => {
    failRequests(12);
    const waits = Array.from({ length: 2_000 }, () => waitOf('we_1'));
    expect(Math.max(...waits)).toBeLessThanOrEqual(20 * 60_000);
    worker.nowMs += 60_000;
    exchange('we_1');
    expect(worker.gate.foresee(endpoint('we_1'))).toBeNull();
    expect(fill('we_1')).toHaveLength(20);
    expect(waitOf('we_1')).toBe(500);
  });

  it('accepts requests without a limit after one response', () => {
    failRequests(9);
    worker.nowMs += 60_000;
    exchange('we_1');
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is not counted as silent for requests that were not sent', () => {
    failRequests(4);
    for (let i = 0; i < 3; i += 1) fill('we_1', 1)[0]!.leave(null);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('does not delay other receivers', () => {
    failRequests(9);
    expect(fill('we_2')).toHaveLength(20);
  });
});
