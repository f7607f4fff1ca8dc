/** Builder of events about a payment or a refund, as the service composes them. */
import { composeEvent } from '../../../domain/event.ts';
import type { Event, EventType } from '../../../domain/event.ts';
import type { Payment } from '../../../domain/payment.ts';
import type { Refund } from '../../../domain/refund.ts';
import { publicPayment, publicRefund } from '../../../domain/wire.ts';
import { mintId } from '../../../store/mint.ts';

const LINKS = { checkoutUrl: 'https://pay.example' };

/** Creates an event of `type` about a payment or a refund, caused by no API request. */
export function makeEventAbout(
  about: Payment | Refund,
  type: EventType,
  id = mintId('event'),
): Event {
  const isRefund = 'payment_id' in about;
  return composeEvent({
    id,
    tenant: about.m,
    type,
    paymentId: isRefund ? about.payment_id : about._id,
    cause: `${id}:told`,
    object: isRefund ? publicRefund(about) : publicPayment(about, LINKS),
    request: null,
  });
}
