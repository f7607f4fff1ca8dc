/** Records of every kind, for one merchant and mode. */
import type { IdKind } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { searchTerms } from '../../domain/search.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Idempotency } from '../../store/rows.ts';
import { makeDelivery, makeEndpoint } from '../support/rows/endpoint.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeEventAbout } from '../support/rows/event.ts';
import { isLive } from '../../domain/merchant.ts';

export interface Records {
  readonly m: string;
  readonly orderId: string;
  /** An idempotency key that was used for one payment and one refund. */
  readonly key: string;
  readonly ids: Readonly<
    Record<'payment' | 'refund' | 'event' | 'endpoint' | 'delivery', string[]>
  >;
}

const STATUSES: readonly Payment['status'][] = ['created', 'processing', 'completed'];

const idsOf = (rows: readonly { _id: string }[]): string[] => rows.map(({ _id }) => _id);

const idem = (k: string, request: object): Idempotency => ({
  k,
  request: JSON.stringify(request),
  response: JSON.stringify({ secret_of: k }),
});

/** Inserts the records. The requests with `key` look like those that `requestsFor` makes. */
export async function insertRecords(
  mongo: Mongo,
  { m: tenant, merchantId }: { m: string; merchantId: string },
): Promise<Records> {
  const [key, orderId] = [`key-of-${tenant}`, `order-of-${tenant}`];
  const metadata = { customer: '4711' };
  const common = { merchant_id: merchantId, livemode: isLive(tenant), order_id: orderId, metadata };
  const payments = STATUSES.map((status) => {
    const attempts = status === 'created' ? [] : [makeAttempt()];
    const payment = makePayment({ ...common, status, attempts });
    return { ...payment, found_by: searchTerms(payment) };
  });
  const paid = payments.find(({ status }) => status === 'completed')!;
  const refunds = (['pending', 'completed'] as const).map((status) => {
    return makeRefund({ m: tenant, payment_id: paid._id, status, livemode: common.livemode });
  });
  const events = [
    makeEventAbout(paid, 'payment.completed'),
    ...refunds.map((refund) => makeEventAbout(refund, 'refund.created')),
  ];
  const endpoint = makeEndpoint({ m: tenant });
  const deliveries = events.map(({ _id }) =>
    makeDelivery({ m: tenant, endpoint_id: endpoint._id, event_id: _id }),
  );
  const [first, ...others] = payments;
  await mongo.payments.insertMany([{ ...first!, idem: idem(key, {}) }, ...others]);
  const [pending, ...ended] = refunds;
  const request = idem(key, { payment_id: paid._id });
  await mongo.refunds.insertMany([{ ...pending!, idem: request }, ...ended]);
  await mongo.events.insertMany(events);
  await mongo.endpoints.insertOne(endpoint);
  await mongo.deliveries.insertMany(deliveries);
  const ids = {
    payment: idsOf(payments),
    refund: idsOf(refunds),
    event: idsOf(events),
    endpoint: [endpoint._id],
    delivery: idsOf(deliveries),
  } satisfies Partial<Record<IdKind, string[]>>;
  return { m: tenant, orderId, key, ids };
}
