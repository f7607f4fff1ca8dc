/** The statuses of payments and refunds in words, and cards. */
import type { Card, Payment } from '../../domain/payment.ts';
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

/** Returns the brand and the last four digits. */
export const cardText = ({ brand, last4 }: Card): string => `${brand} •••• ${last4}`;
