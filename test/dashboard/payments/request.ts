/** A request of the API, for payments that the dashboard shows. */
import type { MerchantRequest } from '../../../operations/idempotency.ts';
import { mintId } from '../../../store/mint.ts';
import { BANK_TIMEOUT_MS, LINKS } from '../../api/harness.ts';
import type { Ground } from '../harness.ts';

/** Returns a request of the API with that key. */
export const emptyRequest = (
  { mongo, temporal, tenant }: Pick<Ground, 'mongo' | 'temporal' | 'tenant'>,
  key: string | undefined,
): MerchantRequest => ({
  mongo,
  temporal,
  tenant,
  links: LINKS,
  bankTimeoutMs: BANK_TIMEOUT_MS,
  lifetime: { minMs: 0 },
  initiatedBy: 'api',
  id: mintId('request'),
  key,
  canonical: '{}',
  now: new Date(),
  endsAtMs: Date.now() + 60_000,
});
