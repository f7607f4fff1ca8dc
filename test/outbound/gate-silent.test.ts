import { beforeEach, describe, expect, it } from 'vitest';
import type { Pass } from '../../outbound/gate.ts';
import {
  ANSWERED,
  SILENT,
  exchange,
  fill,
  house,
  rebuild,
  silence,
  waitOf,
  to,
} from './gatehouse.ts';

beforeEach(() => rebuild());

describe('a receiver that does not answer', () => {
  it('is let in as ever after four times', () => {
    silence(4);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is probed with one request at a time from the fifth on, ever more rarely', () => {
    silence(5);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(waitOf('we_1')).toBeGreaterThanOrEqual(pauseMs);
      house.nowMs += pauseMs - 1;
      waitOf('we_1');
      house.nowMs += 1;
      const [probe] = fill('we_1');
      expect(fill('we_1')).toEqual([]);
      probe!.leave(SILENT);
    }
  });

  it('is asked all the same by a trial, which somebody waits for', () => {
    silence(9);
    const trial = house.gate.enter(to('we_1'), 'test');
    expect(trial).toHaveProperty('leave');
  });

  it('is probed a second after many failed together: that was one silence', () => {
    for (const pass of fill('we_1')) pass.leave(SILENT);
    house.nowMs += 1_000;
    const [probe] = fill('we_1', 1);
    probe!.leave(ANSWERED);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is tried again within seconds by all who came while it was restarted', () => {
    for (const pass of fill('we_1')) pass.leave(SILENT);
    const waits = Array.from({ length: 60 }, () => waitOf('we_1'));
    expect(Math.max(...waits)).toBeLessThan(10_000);
  });

  it('sees each of 2,000 that wait come back at most twice a second in all', () => {
    silence(12);
    const backAt = Array.from({ length: 2_000 }, () => house.nowMs + waitOf('we_1'));
    const probes: Pass[] = [];
    let returns = 0;
    for (const end = house.nowMs + 3_600_000; ; returns += 1) {
      const next = Math.min(...backAt);
      if (next > end) break;
      house.nowMs = next;
      const outcome = house.gate.enter(to('we_1'));
      if ('waitMs' in outcome) backAt[backAt.indexOf(next)] = house.nowMs + outcome.waitMs;
      else {
        outcome.leave(SILENT);
        probes.push(outcome);
        // A failed attempt is away for longer than this hour.
        backAt[backAt.indexOf(next)] = end + 1;
      }
    }
    expect(returns).toBeLessThanOrEqual(2 * 3_600);
    expect(returns).toBeGreaterThan(3_600);
    // One a minute, and none later than its turn.
    expect(probes.length).toBeGreaterThan(55);
    expect(probes.length).toBeLessThanOrEqual(60);
  });

  it('gets all of 2,000 within 20 min of its return', () => {
    silence(12);
    const waits = Array.from({ length: 2_000 }, () => waitOf('we_1'));
    expect(Math.max(...waits)).toBeLessThanOrEqual(20 * 60_000);
    house.nowMs += 60_000;
    exchange('we_1');
    expect(house.gate.foresee(to('we_1'))).toBeNull();
    expect(fill('we_1')).toHaveLength(20);
    expect(waitOf('we_1')).toBe(500);
  });

  it('is let in as ever once it has answered', () => {
    silence(9);
    house.nowMs += 60_000;
    exchange('we_1');
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is not blamed for what it was never asked', () => {
    silence(4);
    for (let i = 0; i < 3; i += 1) fill('we_1', 1)[0]!.leave(null);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('holds up nobody else', () => {
    silence(9);
    expect(fill('we_2')).toHaveLength(20);
  });
});
