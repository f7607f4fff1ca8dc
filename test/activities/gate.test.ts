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

  it('is told to come back later the more of its deliveries wait, within 30 s', () => {
    exchange('we_1', { tookMs: 10_000 });
    const passes = fill('we_1');
    const waits = Array.from({ length: 500 }, () => waitOf('we_1'));
    expect(waits[0]).toBe(500);
    expect(waits.at(-1)).toBe(30_000);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    for (const pass of passes) pass.leave(true);
  });

  it('is held up by nothing that waited long ago', () => {
    exchange('we_1', { tookMs: 10_000 });
    fill('we_1');
    for (let i = 0; i < 500; i += 1) waitOf('we_1');
    nowMs += 60_000;
    expect(waitOf('we_1')).toBe(500);
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
  it('vary upwards by half, so that what was turned away together comes back apart', () => {
    gate = makeGate({ slots: SLOTS, now: () => nowMs, random: () => 0.999 });
    fill('we_1');
    expect(waitOf('we_1')).toBe(750);
  });
});
