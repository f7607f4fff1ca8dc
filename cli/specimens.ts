/** The events that a receiver is tried out with: real ones of test payments, or made up. */
import { eventBody } from '../domain/event.ts';
import type { PaymentCreate } from '../sdk/objects.ts';
import { mintId, mintToken } from '../store/mint.ts';
import { exampleObject } from '../operations/examples.ts';
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
/** What every example has: a receiver may go by it, and look for no payment. */
const EXAMPLE = { tollgate_example: 'true' };
const DESCRIPTION = 'tollgate check';
const AMOUNT = 12_500;
const REFUNDED = 2_500;
/** Metadata can hold 50 values of 500 characters at most. The example has one key of its own. */
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
      description: DESCRIPTION,
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
    large: completed({ ...madeUpPayment(), metadata: { ...EXAMPLE, ...LARGE } }),
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

const madeUpPayment = () => ({
  ...exampleObject('payment.completed'),
  order_id: orderId(),
  description: DESCRIPTION,
  metadata: { ...EXAMPLE, ...MARK },
});

const madeUpRefund = (paymentId: string) => ({
  ...exampleObject('refund.completed'),
  payment_id: paymentId,
  description: DESCRIPTION,
  metadata: { ...EXAMPLE, ...MARK },
});
