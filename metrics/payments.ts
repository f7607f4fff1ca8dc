/** Metrics of payments and refunds. */
import type { Registry } from 'prom-client';
import { FAILURE_MESSAGES } from '../domain/bank.ts';
import { CURRENCIES } from '../domain/money.ts';
import { PAYMENT_STATUSES, TRANSITIONS } from '../domain/payment.ts';
import type { TransitionName } from '../domain/payment.ts';
import { REFUND_STATUSES } from '../domain/refund.ts';
import { subscribe } from '../facts.ts';
import { makeCounter } from './registry.ts';

const currency = CURRENCIES.map(({ code }) => code);

/** The result of an attempt at the bank that ends by a transition. */
const RESULTS: Readonly<Partial<Record<TransitionName, string>>> = {
  attempt_opened: 'opened',
  turned_back: 'turned_back',
  approved: 'approved',
  declined: 'declined',
  declined_at_end: 'declined',
  declined_for_good: 'declined',
};

/** Counts payments and refunds. Returns functions that stop counting. */
export function countPayments(registry: Registry): (() => void)[] {
  const countStatus = makeCounter(
    {
      registry,
      name: 'tollgate_payments_total',
      help: 'Payments that were created, or reached a status',
    },
    { status: PAYMENT_STATUSES, currency },
  );
  const countAttempt = makeCounter(
    {
      registry,
      name: 'tollgate_payment_attempts_total',
      help: 'Visits of customers to the bank: opened, and how they ended',
    },
    { result: [...new Set(Object.values(RESULTS))] },
  );
  const countDecline = makeCounter(
    { registry, name: 'tollgate_payment_declines_total', help: 'Declined visits, by failure code' },
    { code: Object.keys(FAILURE_MESSAGES) },
  );
  const countRefund = makeCounter(
    {
      registry,
      name: 'tollgate_refunds_total',
      help: 'Refunds that were created, or reached a status',
    },
    { status: REFUND_STATUSES, currency },
  );
  return [
    subscribe('created', (fact) => countStatus({ ...fact, status: 'created' })),
    subscribe('changed', ({ transition, currency: of, code }) => {
      const result = RESULTS[transition];
      if (result !== undefined) countAttempt({ result });
      if (result === 'declined') countDecline({ code: code ?? '' });
      const { to } = TRANSITIONS[transition];
      // After a decline the same payment is `created` again, and not a new one.
      if (to !== 'created') countStatus({ status: to, currency: of });
    }),
    subscribe('refund', (fact) => countRefund(fact)),
  ];
}
