/** The events that a receiver is checked with. The made-up ones are about nothing that exists. */
import { eventBody } from '../domain/event.ts';
import { exampleObject } from '../domain/example.ts';
import { mintId, mintToken } from '../store/mint.ts';
import type { EventText } from './envelope.ts';

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
export const MARK = { tollgate_check: 'true' };
/** The metadata of every example. A receiver may skip retrieving a payment that has it. */
const EXAMPLE = { tollgate_example: 'true' };
export const DESCRIPTION = 'tollgate check';
/** Metadata can hold 50 values of 500 characters. The example has one key of its own. */
const LARGE_KEYS = 49;
const LARGE_VALUE = 500;
/** A description in several scripts, with characters that code often escapes. */
export const TEXT = 'Պատվեր № 17: թեյ, café, чай 🍵 </script> "\\"';

export const LARGE = Object.fromEntries(
  Array.from({ length: LARGE_KEYS }, (_, index) => [`part_${index}`, 'x'.repeat(LARGE_VALUE)]),
);

/** Creates events of payments and a refund that do not exist. */
export function madeUpSpecimens(): Specimens {
  const payment = madeUpPayment();
  const other = madeUpPayment();
  const completed = (object: unknown = madeUpPayment()): EventText => freshOf(object)();
  const refund = {
    ...exampleObject('refund.completed', { now: new Date(), mintId }),
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

export const orderId = (): string => `check-${mintToken().slice(0, 8)}`;

/** Returns a function that creates a new event about the object. */
export function freshOf(object: unknown): (type?: string) => EventText {
  return (type = 'payment.completed') => {
    const id = mintId('event');
    const about = { id, createdAt: new Date(), livemode: false, object, request: null };
    // An unknown type is not an `EventType`, but its text has the same form.
    return { id, body: eventBody({ ...about, type: type as 'payment.completed' }) };
  };
}

const madeUpPayment = () => ({
  ...exampleObject('payment.completed', { now: new Date(), mintId }),
  order_id: orderId(),
  description: DESCRIPTION,
  metadata: { ...EXAMPLE, ...MARK },
});
