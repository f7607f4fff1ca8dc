/** The statuses of payments and refunds in words, and methods. */
import type { PaymentMethod } from '../../domain/method.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { Badge } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';

type Shown = Pick<Payment, 'status' | 'amount' | 'amount_refunded'>;

export function statusKey({ status, amount, amount_refunded: refunded }: Shown): TextKey {
  if (status !== 'completed' || refunded === 0) return `status.${status}`;
  return refunded === amount ? 'status.refunded' : 'status.partly_refunded';
}

export function Status({ request: { t }, of }: { request: StaffRequest; of: Shown }) {
  return <Badge kind={of.status}>{t(statusKey(of))}</Badge>;
}

interface RefundProps {
  readonly request: StaffRequest;
  readonly status: Refund['status'];
}

export function RefundStatus({ request: { t }, status }: RefundProps) {
  return <Badge kind={status}>{t(`refund_status.${status}`)}</Badge>;
}

/** Returns a card's brand and last four digits, or the name of another method. */
export function methodText({ t }: Pick<StaffRequest, 't'>, method: PaymentMethod): string {
  if (method.type === 'bank_transfer') return t('payments.bank_transfer');
  return `${method.card.brand} •••• ${method.card.last4}`;
}
