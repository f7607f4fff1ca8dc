/** `POST /v1/payments/{id}/cancel`: only what has not gone to the bank can be canceled. */
import { isSilenceOver, lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { Answer, Call } from './call.ts';
import { Refusal } from '../operations/refusal.ts';
import { actOnce } from './once.ts';
import type { ClaimNow } from './once.ts';
import { paymentOf } from './payments.ts';
import { cancelSchema } from './schemas.ts';
import type { CancelBody } from './schemas.ts';
import { compile, validate } from './validate.ts';

const schema = compile(cancelSchema);

/** 200 with the canceled payment, also when it was canceled before; else 409, without effect. */
export async function cancelPayment(call: Call): Promise<Answer> {
  validate(schema, call);
  const { reason = null } = call.body as CancelBody;
  const payment = await paymentOf(call);
  const wish = { name: 'cancel', payment, reason } as const;
  return actOnce(call, wish, async (claim) => cancel(call, payment, claim));
}

async function cancel(call: Call, payment: Payment, claim: ClaimNow): Promise<Payment> {
  if (payment.status === 'canceled') return payment;
  // The workflow is asked only where it may say yes, so that calls cannot flood its history.
  if (!mayBeFree(payment, call)) throw stateRefusal(payment, 'canceled');
  const { id } = await claim();
  await call.api.temporal.askPayment(
    payment,
    { kind: 'cancel', by: 'merchant', request_id: id },
    id,
  );
  const after = await paymentOf(call);
  if (after.status !== 'canceled') throw stateRefusal(after, 'canceled');
  return after;
}

/** Whether nobody is at the bank with it, or the bank has had its time and said nothing. */
export function mayBeFree(payment: Payment, { api, now }: Call): boolean {
  if (payment.status === 'created') return true;
  const attempt = lastAttempt(payment);
  const isAtBank = payment.status === 'processing' && attempt !== undefined;
  return isAtBank && isSilenceOver(attempt, now, api.bankTimeoutMs);
}

/** 409: the payment's state is named, because it may have changed since the caller looked. */
export function stateRefusal(payment: Payment, done: string): Refusal {
  const message = `The payment is ${payment.status} and cannot be ${done}.`;
  return new Refusal('payment_state_invalid', { message });
}
