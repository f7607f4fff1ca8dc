/** Requests of people to operations on payments and refunds. */
import type { Actor } from '../../domain/audit.ts';
import type { MerchantRequest } from '../../operations/idempotency.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { BANK_TIMEOUT_MS, LINKS, recordingTemporal } from '../api/harness.ts';

/** Returns a request of a person about a payment or a refund. */
export const requestOf = (
  { mongo, m: tenant }: { mongo: Mongo; m: string },
  actor: Actor,
): MerchantRequest => ({
  mongo,
  temporal: recordingTemporal(mongo),
  links: LINKS,
  bankTimeoutMs: BANK_TIMEOUT_MS,
  lifetime: { minMs: 0 },
  tenant,
  initiatedBy: 'dashboard',
  actor,
  id: mintId('request'),
  key: undefined,
  canonical: '{}',
  now: new Date(),
  endsAtMs: Date.now() + 60_000,
});
