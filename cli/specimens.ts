/** The events that a receiver is tested with: real ones of test payments, or made-up ones. */
import { eventBody } from '../domain/event.ts';
import type { PaymentCreate } from '../sdk/objects.ts';
import { mintId, mintToken } from '../store/mint.ts';
import { exampleObject } from '../operations/test-event.ts';
import type { Access } from './access.ts';
import type { EventText } from './envelope.ts';
import { awaitEvent } from './trigger.ts';

export interface Specimens {
  /** True if the API has the payments. A receiver that retrieves a made-up one finds nothing. */
  readonly isReal: boolean;
  readonly plain: EventText;
  /** More of the same type. Each has its own payment, because a payment completes only once. */
  readonly others: readonly [EventText, EventText, EventText, EventText];
  readonly nonAscii: EventText;
  readonly large: EventText;
  /** The events of another payment and its refund. */
  readonly pair: { readonly completed: EventText; readonly refunded: EventText };
  /** Creates a new event about the payment of `plain`. */
  readonly fresh: (type?: string) => EventText;
}

/** Metadata for people who find these payments in a shop's records. */
const MARK = { tollgate_check: 'true' };
/** The metadata of every example. A receiver may skip retrieving a payment that has it. */
const EXAMPLE = { tollgate_example: 'true' };
const DESCRIPTION = 'tollgate check';
const AMOUNT = 12_500;
const REFUNDED = 2_500;
/** Metadata can hold 50 values of 500 characters. The example has one key of its own. */
const LARGE_KEYS = 49;
const LARGE_VALUE = 500;
const TEXT = 'Պատվեր № 17: թեյ, café, чай 🍵 </script> "\\"';

const LARGE = Object.fromEntries(
  Array.from({ length: LARGE_KEYS }, (_, index) => [`part_${index}`, 'x'.repeat(LARGE_VALUE)]),
);

/** Creates eight payments through the API, one with a refund, and reads their events. */
export async function realSpecimens({ client, readRaw }: Access): Promise<Specimens> {
  const pay = async (more: Partial<PaymentCreate> = {}): Promise<string> => {
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
  const eventOf = async (payment: string, type = 'payment.completed'): Promise<EventText> => {
    const { id } = await awaitEvent(client, payment, type);
    return { id, body: await readRaw(id) };
  };
  const completed = async (more?: Partial<PaymentCreate>): Promise<EventText> =>
    eventOf(await pay(more));
  const refunded = await pay();
  await client.refunds.create({ payment_id: refunded, amount: REFUNDED });
  const plain = await completed();
  return {
    isReal: true,
    plain,
    others: [await completed(), await completed(), await completed(), await completed()],
    nonAscii: await completed({ description: TEXT }),
    large: await completed({ metadata: { ...MARK, ...LARGE } }),
    pair: {
      completed: await eventOf(refunded),
      refunded: await eventOf(refunded, 'refund.completed'),
    },
    fresh: freshOf((JSON.parse(plain.body) as { data: { object: unknown } }).data.object),
  };
}

/** Creates the same events for payments that do not exist. */
export function madeUpSpecimens(): Specimens {
  const payment = madeUpPayment();
  const other = madeUpPayment();
  const completed = (object: unknown = madeUpPayment()): EventText => freshOf(object)();
  const refund = {
    ...exampleObject('refund.completed'),
    payment_id: other.id,
    description: DESCRIPTION,
    metadata: { ...EXAMPLE, ...MARK },
  };
  return {
    isReal: false,
    plain: completed(payment),
    others: [completed(), completed(), completed(), completed()],
    nonAscii: completed({ ...madeUpPayment(), description: TEXT }),
    large: completed({ ...madeUpPayment(), metadata: { ...EXAMPLE, ...LARGE } }),
    pair: { completed: completed(other), refunded: freshOf(refund)('refund.completed') },
    fresh: freshOf(payment),
  };
}

const orderId = (): string => `check-${mintToken().slice(0, 8)}`;

function freshOf(object: unknown): (type?: string) => EventText {
  return (type = 'payment.completed') => {
    const id = mintId('event');
    const about = { id, createdAt: new Date(), livemode: false, object, request: null };
    // An unknown type is not an `EventType`, but its text has the same form.
    return { id, body: eventBody({ ...about, type: type as 'payment.completed' }) };
  };
}

const madeUpPayment = () => ({
  ...exampleObject('payment.completed'),
  order_id: orderId(),
  description: DESCRIPTION,
  metadata: { ...EXAMPLE, ...MARK },
});
