/** A payment's status in words, and its card. */
import type { Card, Payment } from '../../domain/payment.ts';
import { Badge } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';

type Shown = Pick<Payment, 'status' | 'amount' | 'amount_refunded'>;

function statusKey({ status, amount, amount_refunded: refunded }: Shown): TextKey {
  if (status !== 'completed' || refunded === 0) return `status.${status}`;
  return refunded === amount ? 'status.refunded' : 'status.partly_refunded';
}

export function Status({ request: { t }, of }: { request: StaffRequest; of: Shown }) {
  return <Badge kind={of.status}>{t(statusKey(of))}</Badge>;
}

/** Returns the brand and the last four digits. */
export const cardText = ({ brand, last4 }: Card): string => `${brand} •••• ${last4}`;
