/** Payments: create, cancel, decide the test outcome, retrieve, list. */
import { PAYMENT_STATUSES } from '../domain/payment.ts';
import { MAX_PAIR_CHARS, MAX_SEARCHED_PAIRS } from '../domain/search.ts';
import { publicPayment } from '../domain/wire.ts';
import { advancePayment } from '../operations/advance-payment.ts';
import { cancelPayment } from '../operations/cancel-payment.ts';
import { requirePayment } from '../operations/change-payment.ts';
import { createPayment, expiryFaults } from '../operations/create-payment.ts';
import { decideOutcome } from '../operations/decide-outcome.ts';
import { requireTestMode } from '../operations/idempotency.ts';
import { replyWith, replyWithResult } from './call.ts';
import type { Call, Reply } from './call.ts';
import { replyWithPage } from './lists.ts';
import { metadataFilter, namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import {
  advanceSchema,
  cancelSchema,
  orderIdSchema,
  outcomeSchema,
  paymentSchema,
} from './schemas.ts';
import type { AdvanceBody, CancelBody, OutcomeBody, PaymentBody } from './schemas.ts';
import { parseTime } from './time.ts';
import { compile, validate } from './validate.ts';

const paymentBody = compile<PaymentBody>(paymentSchema);
const cancelBody = compile<CancelBody>(cancelSchema);
const outcomeBody = compile<OutcomeBody>(outcomeSchema);
const advanceBody = compile<AdvanceBody>(advanceSchema);

/** `POST /v1/payments`: 201 with the payment. */
export async function postPayment(call: Call): Promise<Reply> {
  requireTestMode(call.request);
  const { request } = call;
  const expiresAt = timeIn(call.body['expires_at']);
  const body = validate(paymentBody, call, () => expiryFaults(request, expiresAt));
  return replyWithResult(201, await createPayment(request, { ...body, expires_at: expiresAt }));
}

/** Returns the time in a parameter that is not validated yet, or undefined. */
function timeIn(parameter: unknown): Date | undefined {
  const moment = typeof parameter === 'string' ? parseTime(parameter) : undefined;
  return moment && new Date(moment.ms);
}

/** `POST /v1/payments/{id}/cancel`: 200 with the canceled payment, even if it was canceled before. */
export async function postCancel(call: Call): Promise<Reply> {
  const fields = { ...validate(cancelBody, call), id: call.id };
  return replyWithResult(200, await cancelPayment(call.request, fields));
}

/** `POST /v1/test/payments/{id}/outcome`: 200 with the payment. Pays without a browser. */
export async function postOutcome(call: Call): Promise<Reply> {
  requireTestMode(call.request);
  const fields = { ...validate(outcomeBody, call), id: call.id };
  return replyWithResult(200, await decideOutcome(call.request, fields));
}

/** `POST /v1/test/payments/{id}/advance`: 200 with the payment. Makes its next step due now. */
export async function postAdvance(call: Call): Promise<Reply> {
  requireTestMode(call.request);
  const fields = { ...validate(advanceBody, call), id: call.id };
  return replyWithResult(200, await advancePayment(call.request, fields));
}

/** `GET /v1/payments/{id}`. */
export async function getPayment({ api, request, id }: Call): Promise<Reply> {
  return replyWith(200, publicPayment(await requirePayment(request, id), api.links));
}

export const PAYMENT_LIST: ListSpec = {
  kind: 'payment',
  path: '/v1/payments',
  filters: {
    status: namesFilter('Payments in one of these states.', PAYMENT_STATUSES),
    order_id: textFilter('Payments of this order.', orderIdSchema),
    'metadata.*': metadataFilter(
      `Payments whose metadata has this value under this key, as in \`metadata.customer=4711\`. One key at a time. Keys and values are compared without case, and among the first ${MAX_SEARCHED_PAIRS} keys of a payment. Key and value have at most ${MAX_PAIR_CHARS} characters together.`,
    ),
  },
  combinations: [[], ['status'], ['order_id'], ['order_id', 'status'], ['metadata.*']],
};

/** `GET /v1/payments`. */
export async function listPayments(call: Call): Promise<Reply> {
  const { mongo, links } = call.api;
  return replyWithPage(call, {
    spec: PAYMENT_LIST,
    collection: mongo.payments,
    render: (row) => JSON.stringify(publicPayment(row, links)),
  });
}
