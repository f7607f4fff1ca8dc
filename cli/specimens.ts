/** The events that a receiver is tried out with: real ones of test payments, or made up. */
import { eventBody } from '../domain/event.ts';
import { publicPayment, publicRefund } from '../domain/wire.ts';
import type { PaymentCreate } from '../sdk/objects.ts';
import { mintId, mintToken } from '../store/mint.ts';
import type { Access } from './access.ts';
import type { Parcel } from './envelope.ts';
import { awaitEvent } from './trigger.ts';

export interface Specimens {
  /** Whether the API has them; otherwise a receiver that asks it will not find them. */
  readonly isReal: boolean;
  readonly plain: Parcel;
  /** More of the kind, each of a payment of its own: no payment is completed twice. */
  readonly others: readonly [Parcel, Parcel, Parcel, Parcel];
  readonly nonAscii: Parcel;
  readonly large: Parcel;
  /** A payment that is told of nowhere else, and its refund. */
  readonly pair: { readonly completed: Parcel; readonly refunded: Parcel };
  /** An event that nobody has heard of, about the plain one's payment. */
  readonly fresh: (type?: string) => Parcel;
}

/** What marks them for whoever finds them in a shop's records. */
const MARK = { tollgate_check: 'true' };
const AMOUNT = 12_500;
const REFUNDED = 2_500;
/** API, Create a payment: the most that metadata can hold is 50 values of 500 characters. */
const LARGE_KEYS = 49;
const LARGE_VALUE = 500;
const TEXT = 'Պատվեր № 17: թեյ, café, чай 🍵 </script> "\\"';

const LARGE = Object.fromEntries(
  Array.from({ length: LARGE_KEYS }, (_, index) => [`part_${index}`, 'x'.repeat(LARGE_VALUE)]),
);

/** Makes eight payments through the API, one of them with a refund, and reads their events. */
export async function realSpecimens({ client, readRaw }: Access): Promise<Specimens> {
  const paid = async (more: Partial<PaymentCreate> = {}): Promise<string> => {
    const { id } = await client.payments.create({
      amount: AMOUNT,
      currency: 'AMD',
      order_id: orderId(),
      return_url: 'https://shop.example/return',
      description: 'tollgate check',
      metadata: MARK,
      ...more,
    });
    await client.test.outcome(id, 'approve');
    return id;
  };
  const parcelOf = async (payment: string, type: string): Promise<Parcel> => {
    const { id } = await awaitEvent(client, payment, type);
    return { id, body: await readRaw(id) };
  };
  const completed = async (more?: Partial<PaymentCreate>): Promise<Parcel> =>
    parcelOf(await paid(more), 'payment.completed');
  const refunded = await paid();
  await client.refunds.create({ payment_id: refunded, amount: REFUNDED });
  const plain = await completed();
  return {
    isReal: true,
    plain,
    others: [await completed(), await completed(), await completed(), await completed()],
    nonAscii: await completed({ description: TEXT }),
    large: await completed({ metadata: { ...MARK, ...LARGE } }),
    pair: {
      completed: await parcelOf(refunded, 'payment.completed'),
      refunded: await parcelOf(refunded, 'refund.completed'),
    },
    fresh: freshOf((JSON.parse(plain.body) as { data: { object: unknown } }).data.object),
  };
}

/** The same of payments that do not exist. */
export function madeUpSpecimens(): Specimens {
  const payment = madeUpPayment();
  const other = madeUpPayment();
  const completed = (object: unknown = madeUpPayment()): Parcel => freshOf(object)();
  return {
    isReal: false,
    plain: completed(payment),
    others: [completed(), completed(), completed(), completed()],
    nonAscii: completed({ ...madeUpPayment(), description: TEXT }),
    large: completed({ ...madeUpPayment(), metadata: { ...MARK, ...LARGE } }),
    pair: {
      completed: completed(other),
      refunded: freshOf(madeUpRefund(other.id))('refund.completed'),
    },
    fresh: freshOf(payment),
  };
}

const orderId = (): string => `check-${mintToken().slice(0, 8)}`;

function freshOf(object: unknown): (type?: string) => Parcel {
  return (type = 'payment.completed') => {
    const id = mintId('event');
    const about = { id, createdAt: new Date(), livemode: false, object, request: null };
    // A type of the future is none of the service's; it is written as any other.
    return { id, body: eventBody({ ...about, type: type as 'payment.completed' }) };
  };
}

function madeUpPayment() {
  const now = new Date();
  const attempt = {
    id: mintId('attempt'),
    number: 1,
    status: 'approved' as const,
    card: { brand: 'visa', last4: '4242' },
    failure_code: null,
    created_at: now,
    opened_at: now,
    bank: null,
    gave_up_at: null,
  };
  const row = {
    _id: mintId('payment'),
    m: '',
    merchant_id: '',
    livemode: false,
    status: 'completed' as const,
    due_at: now,
    amount: AMOUNT,
    currency: 'AMD',
    amount_refunded: 0,
    order_id: orderId(),
    description: 'tollgate check',
    return_url: 'https://shop.example/return',
    cancel_url: null,
    locale: 'en' as const,
    metadata: MARK,
    checkout_token: mintToken(),
    attempts: [attempt],
    failure_code: null,
    cancellation: null,
    created_at: now,
    updated_at: now,
    expires_at: now,
    completed_at: now,
    failed_at: null,
    canceled_at: null,
    expired_at: null,
  };
  return publicPayment(row, { checkoutUrl: 'https://pay.example' });
}

function madeUpRefund(paymentId: string) {
  const now = new Date();
  return publicRefund({
    _id: mintId('refund'),
    m: '',
    livemode: false,
    payment_id: paymentId,
    amount: REFUNDED,
    currency: 'AMD',
    status: 'completed',
    reason: null,
    description: 'tollgate check',
    failure_code: null,
    metadata: MARK,
    initiated_by: 'api',
    due_at: now,
    created_at: now,
    updated_at: now,
    completed_at: now,
  });
}
