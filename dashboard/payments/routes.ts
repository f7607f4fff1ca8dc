import { action, page } from '../route.ts';
import { cancel } from './cancel.ts';
import { leadToRefund } from './exact.ts';
import { showPayments } from './list.tsx';
import { showPayment } from './payment.tsx';
import { askRefund, checkRefund, makeRefund, showRefundAgain } from './refund.tsx';
import { showRefunds } from './refunds.tsx';

export const PAYMENT_ROUTES = [
  page('/payments', 'payments.read', showPayments),

  // Before `/payments/:id`, which would match it too.
  page('/payments/refunds', 'payments.read', showRefunds),
  page('/payments/refunds/:id', 'payments.read', leadToRefund),

  page('/payments/:id', 'payments.read', showPayment),
  action('/payments/:id/cancel', 'payments.cancel', { act: cancel, again: showPayment }),
  page('/payments/:id/refund', 'payments.refund', askRefund),
  page('/payments/:id/refund/check', 'payments.refund', checkRefund),
  action('/payments/:id/refund', 'payments.refund', {
    act: makeRefund,
    again: showRefundAgain,
    confirm: true,
  }),
];
