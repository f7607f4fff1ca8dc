/** The query of an export: its filters are those of the lists. */
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import { firstIdAt } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import { REFUND_STATUSES } from '../../domain/refund.ts';
import { Refusal } from '../../operations/refusal.ts';
import { findEndpoint } from '../../store/endpoints.ts';
import { findPayment } from '../../store/payments.ts';
import type { StaffRequest } from '../request.ts';

export const EXPORTS = ['payments', 'refunds', 'deliveries'] as const;
export type ExportName = (typeof EXPORTS)[number];

interface Filters {
  readonly id: IdKind;
  /** The stored field of the status. */
  readonly field: 'status' | 'state';
  readonly statuses: readonly string[];
}

export const FILTERS: Readonly<Record<ExportName, Filters>> = {
  payments: { id: 'payment', field: 'status', statuses: PAYMENT_STATUSES },
  refunds: { id: 'refund', field: 'status', statuses: REFUND_STATUSES },
  deliveries: { id: 'delivery', field: 'state', statuses: DELIVERY_STATES },
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export type ExportQuery = Awaited<ReturnType<typeof readQuery>>;

/** Returns a parameter's trimmed text; '' if it is absent or repeated. */
export function paramOf({ ctx }: StaffRequest, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Returns the query that the address asks for. Throws the `Refusal` of a malformed parameter, and
 * 404 for a payment or an endpoint that the merchant does not have.
 */
export async function readQuery(request: StaffRequest, name: ExportName) {
  const { id, field, statuses } = FILTERS[name];
  const { tenant, t } = request;
  const status = paramOf(request, 'status');
  if (status !== '' && !statuses.includes(status)) {
    throw Refusal.ofParam('status', t('exports.bad_status'));
  }
  const from = readDay(request, 'from');
  const to = readDay(request, 'to');
  return {
    filter: {
      m: tenant,
      ...(await readScope(request, name)),
      ...(status !== '' && { [field]: status }),
    },
    ids: {
      from: from === undefined ? undefined : firstIdAt(id, from),
      below: to === undefined ? undefined : firstIdAt(id, to + DAY_MS),
    },
  };
}

/** Returns the filter by an order, a payment or an endpoint. */
async function readScope(request: StaffRequest, name: ExportName): Promise<Record<string, string>> {
  const { tenant, services, ctx } = request;
  if (name === 'payments') {
    const orderId = paramOf(request, 'order_id');
    return orderId === '' ? {} : { order_id: orderId };
  }
  if (name === 'refunds') {
    const id = paramOf(request, 'payment_id');
    if (id === '') return {};
    if (!(await findPayment(services.mongo, tenant, id))) ctx.throw(404);
    return { payment_id: id };
  }
  const id = paramOf(request, 'endpoint');
  if (!(await findEndpoint(services.mongo, tenant, id))) ctx.throw(404);
  return { endpoint_id: id };
}

/** Returns the beginning of a UTC day in unix milliseconds; undefined without one. */
function readDay(request: StaffRequest, name: 'from' | 'to'): number | undefined {
  const text = paramOf(request, name);
  if (text === '') return undefined;
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` takes February 30 as March 2.
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  if (!isDay) throw Refusal.ofParam(name, request.t('exports.bad_day'));
  return ms;
}
