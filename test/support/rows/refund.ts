/** Builder of refunds. */
import type { Refund } from '../../../domain/refund.ts';
import { mintId } from '../../../store/mint.ts';

/** Creates a pending refund of 500 AMD, due now. */
export function makeRefund(overrides: Partial<Refund> = {}): Refund {
  const createdAt = overrides.created_at ?? new Date();
  return {
    _id: mintId('refund'),
    m: 'mer_1:test',
    livemode: false,
    payment_id: 'pay_1',
    amount: 500,
    currency: 'AMD',
    status: 'pending',
    reason: null,
    description: null,
    failure_code: null,
    metadata: {},
    initiated_by: 'api',
    due_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
    completed_at: null,
    ...overrides,
  };
}
