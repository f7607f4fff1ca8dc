/** A call that was answered 503 for being slow: what it still does, nobody waits for. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../../api/call.ts';
import { WORK_MS } from '../../api/deadline.ts';
import { createRefund } from '../../api/refunds.ts';
import { mintId } from '../../store/mint.ts';
import { putPayment, useStand } from './harness.ts';
import type { Stand } from './harness.ts';

let stand: Stand;
useStand('late', (ready) => {
  stand = ready;
});

describe('createRefund', () => {
  it.each([
    ['begins no round for a caller who has been answered 503', 0, 0],
    ['makes the refund of a caller who still waits', WORK_MS, 1],
  ])('%s', async (_, leftMs, count) => {
    const { mongo, temporal, tenant } = stand;
    const payment = await putPayment(stand, { status: 'completed' });
    const call = {
      api: { mongo, temporal },
      caller: { m: tenant.m, merchantId: tenant.merchantId, mode: 'test' },
      requestId: mintId('request'),
      now: new Date(),
      endsAtMs: Date.now() + leftMs,
      body: { payment_id: payment._id },
      decimals: new Map(),
    } as unknown as Call;
    const outcome = await createRefund(call).then(
      ({ status }) => status,
      ({ code }: { code: string }) => code,
    );
    expect(outcome).toBe(count === 0 ? 'unavailable' : 201);
    expect(await mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(count);
  });
});
