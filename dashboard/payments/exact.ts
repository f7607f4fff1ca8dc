/** Searches that name one payment: an id, or the address of its checkout page. */
import { isId } from '../../domain/id.ts';
import { readCheckoutToken, readId } from '../../domain/search.ts';
import { findEvent } from '../../store/events.ts';
import { findByTokens, findPayment } from '../../store/payments.ts';
import { findRefund } from '../../store/refunds.ts';
import type { Result, StaffRequest } from '../request.ts';

/** Returns the address of the payment that the text names; undefined for other texts. */
export async function exactAddress(
  { services: { mongo }, tenant }: StaffRequest,
  text: string,
): Promise<string | undefined> {
  const id = readId('payment', text);
  if (id !== undefined) {
    return (await findPayment(mongo, tenant, id)) ? `/payments/${id}` : undefined;
  }
  const refundId = readId('refund', text);
  const refund = refundId === undefined ? null : await findRefund(mongo, tenant, refundId);
  if (refund) return `/payments/${refund.payment_id}#${refund._id}`;
  const eventId = readId('event', text);
  const event = eventId === undefined ? null : await findEvent(mongo, tenant, eventId);
  if (event?.payment_id) return `/payments/${event.payment_id}#${event._id}`;
  const token = readCheckoutToken(text);
  if (token === undefined) return undefined;
  const found = (await findByTokens(mongo, [token])).get(token);
  return found?.m === tenant ? `/payments/${found._id}` : undefined;
}

/** `GET /payments/refunds/:id` leads to the refund on its payment's page. */
export async function leadToRefund(request: StaffRequest): Promise<Result> {
  const { params, ctx } = request;
  const { id = '' } = params;
  const to = isId('refund', id) ? await exactAddress(request, id) : undefined;
  return { to: to ?? ctx.throw(404) };
}
