/** Changed on purpose: it sleeps first, so no recorded history fits it. The replay has to notice. */
import { sleep } from '@temporalio/workflow';
import { payment as original } from '../../../workflows/index.ts';
import type { PaymentInput } from '../../../workflows/messages.ts';

export async function payment(input: PaymentInput): Promise<string> {
  await sleep('1 minute');
  return original(input);
}
