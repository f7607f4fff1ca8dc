/** Helpers of the actions on a payment: loading it, the user's request, and refusals. */
import { isId } from '../../domain/id.ts';
import type { MerchantRequest } from '../../operations/idempotency.ts';
import { Refusal } from '../../operations/refusal.ts';
import { mintId } from '../../store/mint.ts';
import { findPayment } from '../../store/payments.ts';
import type { PaymentRow } from '../../store/rows.ts';
import type { StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';

/** The longest time that an action may take, in milliseconds. The API has the same limit. */
const PATIENCE_MS = 4_300;

/** Returns the payment in the path. Throws 404, for another merchant's payment too. */
export async function loadPayment(request: StaffRequest): Promise<PaymentRow> {
  const { services, tenant, params, ctx } = request;
  const { id = '' } = params;
  const payment = isId('payment', id) ? await findPayment(services.mongo, tenant, id) : null;
  return payment ?? ctx.throw(404);
}

/**
 * Returns the user's request in the form that the API's operations take. The names of its fields
 * must be in alphabetical order.
 */
export function asMerchantRequest(
  { services, tenant, operations, now }: StaffRequest,
  { key, fields }: { key?: string; fields: Readonly<Record<string, unknown>> },
): MerchantRequest {
  const { mongo, temporal, links, bankTimeoutMs, lifetime } = services;
  return {
    mongo,
    temporal,
    links,
    bankTimeoutMs,
    lifetime,
    tenant,
    now,
    key,
    initiatedBy: 'dashboard',
    actor: operations.actor,
    id: mintId('request'),
    canonical: JSON.stringify(fields),
    endsAtMs: Date.now() + PATIENCE_MS,
  };
}

/** Refusals that the user reads in the language of the pages, with their field. */
export const REFUSALS = {
  payment_state_invalid: { text: 'refused.state', param: null },
  payment_not_refundable: { text: 'refused.not_refundable', param: null },
  payment_already_refunded: { text: 'refused.refunded', param: null },
  refundable_changed: { text: 'refused.changed', param: 'amount' },
  refund_too_large: { text: 'refused.too_large', param: 'amount' },
} as const satisfies Readonly<Record<string, { text: TextKey; param: string | null }>>;

const isKnown = (code: string): code is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, code);

/** Runs the operation. Throws its refusals in the user's language. */
export async function inWords<T>({ t }: StaffRequest, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || !isKnown(error.code)) throw error;
    const known = REFUSALS[error.code];
    throw new Refusal(error.code, { message: t(known.text), param: known.param });
  }
}
