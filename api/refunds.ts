/** Refunds: create, retrieve, list. */
import { isId } from '../domain/id.ts';
import { REFUND_STATUSES } from '../domain/refund.ts';
import { publicRefund } from '../domain/wire.ts';
import { createRefund } from '../operations/create-refund.ts';
import { requireTestMode } from '../operations/idempotency.ts';
import { Refusal } from '../operations/refusal.ts';
import { findRefund } from '../store/refunds.ts';
import { replyWith, replyWithResult } from './call.ts';
import type { Call, Reply } from './call.ts';
import { replyWithPage } from './lists.ts';
import { namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import { paymentIdSchema, refundSchema } from './schemas.ts';
import type { RefundBody } from './schemas.ts';
import { compile, validate } from './validate.ts';

const refundBody = compile<RefundBody>(refundSchema);

/** `POST /v1/refunds`: 201 with the pending refund. */
export async function postRefund(call: Call): Promise<Reply> {
  requireTestMode(call.request);
  return replyWithResult(201, await createRefund(call.request, validate(refundBody, call)));
}

/** `GET /v1/refunds/{id}`. */
export async function getRefund({ api, caller, id }: Call): Promise<Reply> {
  const refund = isId('refund', id) ? await findRefund(api.mongo, caller.tenant, id) : null;
  if (!refund) throw new Refusal('resource_missing', { message: 'No such refund.' });
  return replyWith(200, publicRefund(refund));
}

export const REFUND_LIST: ListSpec = {
  kind: 'refund',
  path: '/v1/refunds',
  filters: {
    payment_id: textFilter('Refunds of this payment.', paymentIdSchema),
    status: namesFilter('Refunds in one of these states.', REFUND_STATUSES),
  },
  combinations: [[], ['payment_id'], ['status'], ['payment_id', 'status']],
};

/** `GET /v1/refunds`. */
export async function listRefunds(call: Call): Promise<Reply> {
  return replyWithPage(call, {
    spec: REFUND_LIST,
    collection: call.api.mongo.refunds,
    render: (row) => JSON.stringify(publicRefund(row)),
  });
}
