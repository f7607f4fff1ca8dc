import { page } from '../route.ts';
import { download } from './download.ts';
import { showExports } from './exports.tsx';

export const EXPORT_ROUTES = [
  page('/exports', 'payments.export', showExports),
  page('/exports/payments.csv', 'payments.export', download('payments')),
  page('/exports/refunds.csv', 'payments.export', download('refunds')),
  page('/exports/deliveries.csv', 'deliveries.read', download('deliveries')),
];
