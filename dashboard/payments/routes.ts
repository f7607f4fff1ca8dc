import { action, page } from '../route.ts';
import { cancel } from './cancel.ts';
import { showPayments } from './list.tsx';
import { showPayment } from './payment.tsx';
import { askRefund, checkRefund, makeRefund, showRefundAgain } from './refund.tsx';

export const PAYMENT_ROUTES = [
  page('/payments', 'payments.read', showPayments),
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
