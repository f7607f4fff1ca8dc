/** A worker's first calls, to a Temporal that is busy. */
import { describe, expect, it } from 'vitest';
import { ServiceError } from '@temporalio/client';
import { pino } from 'pino';
import { NOT_READY, untilReplied } from '../../temporal/limits.ts';

const [DEADLINE_EXCEEDED, PERMISSION_DENIED, UNAVAILABLE, UNAUTHENTICATED] = [4, 7, 14, 16];

/** Returns an error as the client throws it: with gRPC's own error as its cause. */
const fault = (code: number): Error =>
  new ServiceError('Failed to describe schedule', {
    cause: Object.assign(new Error(`${code}`), { code }),
  });

/** Makes a call that fails in turn with each of the errors, and then succeeds. */
async function call(faults: Error[], ms = 60_000) {
  const warnings: string[] = [];
  const log = pino(
    {},
    { write: (line) => warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
  let calls = 0;
  const result = await untilReplied(
    async () => {
      calls += 1;
      const next = faults.shift();
      if (next) throw next;
      return 'done';
    },
    { ms, log },
  ).catch((error: unknown) => error);
  return { result, calls, warnings };
}

describe('a call that is repeated until Temporal replies', () => {
  it('succeeds after a busy Temporal, and logs each failure', async () => {
    expect(await call([fault(DEADLINE_EXCEEDED), fault(UNAVAILABLE)])).toEqual({
      result: 'done',
      calls: 3,
      warnings: [NOT_READY, NOT_READY],
    });
  });

  it.each([fault(PERMISSION_DENIED), fault(UNAUTHENTICATED), new TypeError('ours')])(
    'is not repeated after %s',
    async (final) => {
      expect(await call([final])).toEqual({ result: final, calls: 1, warnings: [] });
    },
  );

  it('throws the last error at the end of its time', async () => {
    const last = fault(UNAVAILABLE);
    const { result, calls } = await call([fault(UNAVAILABLE), last, fault(UNAVAILABLE)], 500);
    expect([result, calls]).toEqual([last, 2]);
  });
});
