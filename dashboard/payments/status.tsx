/** The statuses of payments and refunds in words, and cards. */
import type { Card, Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import type { StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';

type Shown = Pick<Payment, 'status' | 'amount' | 'amount_refunded'>;

export function statusKey({ status, amount, amount_refunded: refunded }: Shown): TextKey {
  if (status !== 'completed' || refunded === 0) return `status.${status}`;
  return refunded === amount ? 'status.refunded' : 'status.partly_refunded';
}

export function Status({ request: { t }, of }: { request: StaffRequest; of: Shown }) {
  return <span class={`status status-${of.status}`}>{t(statusKey(of))}</span>;
}

interface RefundProps {
  readonly request: StaffRequest;
  readonly status: Refund['status'];
}

export function RefundStatus({ request: { t }, status }: RefundProps) {
  return <span class={`badge badge-${status}`}>{t(`refund_status.${status}`)}</span>;
}

/** Returns the brand and the last four digits. */
export const cardText = ({ brand, last4 }: Card): string => `${brand} •••• ${last4}`;
