/**
 * Another version of the workflows. Each one starts a timer first, so that no other version can
 * replay its histories.
 */
import { sleep } from '@temporalio/workflow';
import * as today from '../../../workflows/index.ts';
import type { PaymentInput, RefundInput, ReplayInput } from '../../../workflows/messages.ts';

export { sweep } from '../../../workflows/index.ts';

export async function payment(input: PaymentInput): Promise<string> {
  void sleep('1 day');
  return today.payment(input);
}

export async function refund(input: RefundInput): Promise<string> {
  void sleep('1 day');
  return today.refund(input);
}

export async function replay(input: ReplayInput): Promise<string> {
  void sleep('1 day');
  return today.replay(input);
}
