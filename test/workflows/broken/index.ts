/** Changed on purpose: both sleep first, so no recorded history fits. The replay has to notice. */
import { sleep } from '@temporalio/workflow';
import { payment as originalPayment, refund as originalRefund } from '../../../workflows/index.ts';
import type { PaymentInput, RefundInput } from '../../../workflows/messages.ts';

export async function payment(input: PaymentInput): Promise<string> {
  await sleep('1 minute');
  return originalPayment(input);
}

export async function refund(input: RefundInput): Promise<string> {
  await sleep('1 minute');
  return originalRefund(input);
}
