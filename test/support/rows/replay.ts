/** Builder of replays. */
import type { Replay } from '../../../domain/replay.ts';
import { mintId } from '../../../store/mint.ts';

/** Creates a running replay of the last hour's completed payments, with nothing sent yet. */
export function makeReplay(overrides: Partial<Replay> = {}): Replay {
  const now = overrides.created_at ?? new Date();
  return {
    _id: mintId('replay'),
    m: 'mer_1:test',
    endpoint_id: mintId('endpoint'),
    selection: { kind: 'events', types: ['payment.completed'], payment_id: null, ids: null },
    from: new Date(now.getTime() - 3_600_000),
    until: new Date(now.getTime() + 1),
    per_second: 10,
    status: 'running',
    stopped_reason: null,
    total: 0,
    sent: 0,
    cursor: null,
    due_at: now,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
}
