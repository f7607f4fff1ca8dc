/** Canceling a payment. */
import { cancelPayment } from '../../operations/cancel-payment.ts';
import type { Result, StaffRequest } from '../request.ts';
import { asMerchantRequest, inWords } from './act.ts';

/** `POST /payments/:id/cancel`. A payment that is canceled already stays as it is. */
export async function cancel(request: StaffRequest): Promise<Result> {
  const { id = '' } = request.params;
  const sent = asMerchantRequest(request, { fields: {} });
  await inWords(request, async () => cancelPayment(sent, { id }));
  return { to: `/payments/${id}`, done: 'payment_canceled' };
}
