/** Changing the description and the metadata of a payment. */
import { makeQueues, repeatUntil } from '../concurrency.ts';
import type { Actor } from '../domain/audit.ts';
import {
  MAX_METADATA_KEYS,
  changedDetails,
  differingDetails,
  isFinal,
  timeOfChange,
} from '../domain/payment.ts';
import type { DetailChanges, Details, Payment } from '../domain/payment.ts';
import { publicPayment } from '../domain/wire.ts';
import { changeDetails } from '../store/payments.ts';
import { findRequest } from '../store/requests.ts';
import { actOnce, requirePayment } from './change-payment.ts';
import type { RequestClaim } from './change-payment.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';
import { Refusal, unavailable } from './refusal.ts';
import { entryOf } from './services.ts';

/** Runs the changes of one payment one after another. Concurrent ones would only conflict. */
const inQueue = makeQueues();

/**
 * Changes the description and the metadata of an open payment, and returns it. Emits no event, and
 * does not wake the workflow: later events have the new details. Throws `Refusal` if there is no
 * such payment, if it is final, or if it would have too many keys.
 */
export async function updatePayment(
  request: MerchantRequest,
  { id, ...changes }: DetailChanges & { id: string },
): Promise<RequestResult> {
  return inQueue({ tenant: request.tenant, name: id }, async () => {
    const payment = await requirePayment(request, id);
    return actOnce(request, { name: 'update', payment, reason: null }, async (claim) => {
      requireOpen(payment);
      const claimed = request.key === undefined ? undefined : await claim();
      const changed = async () => change(request, id, { changes, claimed });
      // Stops when the caller no longer waits, because the caller would not learn of the change.
      return repeatUntil(request.endsAtMs, changed, unavailable);
    });
  });
}

interface Change {
  readonly changes: DetailChanges;
  readonly claimed: RequestClaim | undefined;
}

/** Changes the payment. Returns undefined if another write changes it first. */
async function change(
  request: MerchantRequest,
  id: string,
  { changes, claimed }: Change,
): Promise<Payment | RequestResult | undefined> {
  const before = await requirePayment(request, id);
  // Read after the payment, which another try of this request may have changed.
  const first = claimed ? await findRequest(request.mongo, claimed.id) : null;
  if (first?.response !== undefined) return { text: first.response, isReplay: true };
  requireOpen(before);
  const details = changedDetails(before, changes);
  requireFewKeys(details);
  const names = differingDetails(before, details);
  if (names.length === 0) return before;
  const after = { ...before, ...details, updated_at: timeOfChange(before, new Date()) };
  const text = JSON.stringify(publicPayment(after, request.links));
  const response = claimed && { id: claimed.id, text };
  const entry = entryOf(request.actor ? { actor: request.actor } : keyOf(request), {
    action: 'payment.update',
    objectId: before._id,
    merchantId: before.merchant_id,
    after: { changed: names },
  });
  const isChanged = await changeDetails(request.mongo, { before, after, entry, response });
  return isChanged ? { text, isReplay: false } : undefined;
}

const keyOf = ({ keyId = '' }: MerchantRequest): { actor: Actor } => ({
  actor: { type: 'api_key', name: keyId },
});

function requireOpen({ status }: Payment): void {
  if (!isFinal(status)) return;
  const message = `The payment is ${status}. Only a created or processing payment can be changed.`;
  throw new Refusal('payment_state_invalid', { message });
}

function requireFewKeys({ metadata }: Details): void {
  const count = Object.keys(metadata).length;
  if (count <= MAX_METADATA_KEYS) return;
  const message = `metadata would have ${count} keys, and a payment has at most ${MAX_METADATA_KEYS}. Remove keys by sending them with null.`;
  throw Refusal.ofParam('metadata', message);
}
