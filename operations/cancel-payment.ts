/** Canceling a payment. */
import { actOnce, endPayment, requirePayment } from './change-payment.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';

/**
 * Cancels the payment, and returns it. Returns a canceled payment unchanged. Throws `Refusal` if
 * there is no such payment, or its state does not allow this.
 */
export async function cancelPayment(
  request: MerchantRequest,
  { id, reason = null }: { id: string; reason?: string | null },
): Promise<RequestResult> {
  const payment = await requirePayment(request, id);
  return actOnce(request, { name: 'cancel', payment, reason }, async (claim) => {
    if (payment.status === 'canceled') return payment;
    return endPayment(request, payment, { to: 'canceled', claim, done: 'canceled' });
  });
}
