import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeGate } from '../../activities/gate.ts';
import type { Gate, Pass } from '../../activities/gate.ts';

const SLOTS = 100;

let nowMs: number;
let gate: Gate;

beforeEach(() => {
  nowMs = 1_000_000;
  gate = makeGate({ slots: SLOTS, now: () => nowMs, random: () => 0 });
});

/** Enters as often as it is let in, at most `most` times. */
function fill(endpointId: string, most = SLOTS): Pass[] {
  const passes: Pass[] = [];
  while (passes.length < most) {
    const pass = gate.enter(endpointId);
    if ('waitMs' in pass) break;
    passes.push(pass);
  }
  return passes;
}

function waitOf(endpointId: string): number {
  const turnedAway = gate.enter(endpointId);
  if (!('waitMs' in turnedAway)) throw new Error('It was let in.');
  return turnedAway.waitMs;
}

/** One request of that length. */
function exchange(endpointId: string, { tookMs = 0, answered = true } = {}): void {
  const [pass] = fill(endpointId, 1);
  nowMs += tookMs;
  pass!.leave(answered);
}

describe('a receiver', () => {
  it('gets 20 requests at once and no more', () => {
    const passes = fill('we_1');
    expect(passes).toHaveLength(20);
    passes[0]!.leave(true);
    expect(fill('we_1')).toHaveLength(1);
  });

  it('gets less the fuller the worker is, so that many slow ones leave room for others', () => {
    const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => fill(id).length);
    expect(counts[0]).toBe(20);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const taken = counts.reduce((sum, count) => sum + count, 0);
    expect(taken).toBeLessThan(SLOTS);
    expect(fill('healthy').length).toBeGreaterThan(0);
  });

  it('that is slow has each come back when it has room for it', () => {
    exchange('we_1', { tookMs: 10_000 });
    const passes = fill('we_1');
    // Its average is 2 s, and it takes 20 at once: one in 100 ms.
    const waits = Array.from({ length: 100 }, () => waitOf('we_1'));
    expect(waits[0]).toBe(500);
    const turns = Array.from({ length: 90 }, (_, index) => 1_200 + index * 100);
    expect(waits.slice(10)).toEqual(turns);
    for (const pass of passes) pass.leave(true);
  });

  it('has nobody stand behind those who are still away once it has room again', () => {
    exchange('we_1', { tookMs: 10_000 });
    const passes = fill('we_1');
    for (let i = 0; i < 500; i += 1) waitOf('we_1');
    for (const pass of passes) pass.leave(true);
    fill('we_1');
    expect(waitOf('we_1')).toBe(500);
  });
});

describe('a new delivery', () => {
  it('is expected at once where the receiver is unknown or has room', () => {
    expect(gate.foresee('we_1')).toBeNull();
    fill('we_1', 19);
    expect(gate.foresee('we_1')).toBeNull();
    expect(fill('we_1')).toHaveLength(1);
  });

  it('has no wait, but is known for it, where the receiver is slow and has room', () => {
    exchange('we_1', { tookMs: 5_000 });
    expect(gate.foresee('we_1')).toBeNull();
    exchange('we_1', { tookMs: 5_000 });
    expect(gate.foresee('we_1')).toEqual({ waitMs: 0 });
    expect(fill('we_1')).toHaveLength(20);
  });

  it('stands behind those who were turned away where there is no room', () => {
    exchange('we_1', { tookMs: 10_000 });
    fill('we_1');
    const waits = Array.from({ length: 20 }, () => waitOf('we_1'));
    expect(gate.foresee('we_1')).toEqual({ waitMs: waits.at(-1)! + 100 });
    expect(waitOf('we_1')).toBe(waits.at(-1)! + 200);
  });

  it('stands behind them where the receiver does not answer, and makes no probe', () => {
    silence(5);
    const [first, second] = [gate.foresee('we_1')!, gate.foresee('we_1')!];
    expect(first.waitMs).toBe(1_500);
    expect(second.waitMs).toBe(2_000);
    nowMs += 1_000;
    expect(fill('we_1')).toHaveLength(1);
  });
});

/** So many requests without an answer, each as soon as it is let in. */
function silence(count: number): void {
  for (let i = 0; i < count; i += 1) {
    nowMs += 60_000;
    exchange('we_1', { answered: false });
  }
}

describe('a receiver that does not answer', () => {
  it('is let in as ever after four times', () => {
    silence(4);
    expect(fill('we_1')).toHaveLength(20);
  });

  it('is probed with one request at a time from the fifth on, ever more rarely', () => {
    silence(5);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(waitOf('we_1')).toBeGreaterThanOrEqual(pauseMs);
      nowMs += pauseMs - 1;
      waitOf('we_1');
      nowMs += 1;
      const [probe] = fill('we_1');
      expect(fill('we_1')).toEqual([]);
      probe!.leave(false);
    }
  });

  it('is asked all the same by a trial, which somebody waits for', () => {
    silence(9);
    const trial = gate.enter('we_1', true);
    expect(trial).toHaveProperty('leave');
  });

  it('sees each of 2,000 that wait come back at most twice a second in all', () => {
    silence(12);
    const backAt = Array.from({ length: 2_000 }, () => nowMs + waitOf('we_1'));
    const probes: Pass[] = [];
    let returns = 0;
    for (const end = nowMs + 3_600_000; ; returns += 1) {
      const next = Math.min(...backAt);
      if (next > end) break;
      nowMs = next;
      const outcome = gate.enter('we_1');
      if ('waitMs' in outcome) backAt[backAt.indexOf(next)] = nowMs + outcome.waitMs;
      else {
        outcome.leave(false);
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
    nowMs += 60_000;
    exchange('we_1');
    expect(gate.foresee('we_1')).toBeNull();
    expect(fill('we_1')).toHaveLength(20);
    expect(waitOf('we_1')).toBe(500);
  });

  it('is let in as ever once it has answered', () => {
    silence(9);
    nowMs += 60_000;
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

describe('delays', () => {
  it('vary upwards by a fifth, so that what several workers turned away comes back apart', () => {
    gate = makeGate({ slots: SLOTS, now: () => nowMs, random: () => 0.999 });
    fill('we_1');
    expect(waitOf('we_1')).toBe(600);
  });
});
