/** Refunds: create, retrieve, list. */
import { isId } from '../domain/id.ts';
import { REFUND_STATUSES } from '../domain/refund.ts';
import type { Refund } from '../domain/refund.ts';
import { publicRefund } from '../domain/wire.ts';
import { createRefund } from '../operations/create-refund.ts';
import { requireTestMode } from '../operations/idempotency.ts';
import { Refusal } from '../operations/refusal.ts';
import { findRefund } from '../store/refunds.ts';
import { answerResult, answerWith } from './call.ts';
import type { Answer, Call } from './call.ts';
import { answerList } from './lists.ts';
import { namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import { paymentIdSchema, refundSchema } from './schemas.ts';
import type { RefundBody } from './schemas.ts';
import { compile, validate } from './validate.ts';

const schema = compile<RefundBody>(refundSchema);

/** `POST /v1/refunds`: 201 with the refund, which is pending. */
export async function postRefund(call: Call): Promise<Answer> {
  requireTestMode(call.request);
  return answerResult(201, await createRefund(call.request, validate(schema, call)));
}

/** `GET /v1/refunds/{id}`. */
export async function getRefund({ api, caller, id }: Call): Promise<Answer> {
  const refund = isId('refund', id) ? await findRefund(api.mongo, caller.m, id) : null;
  if (!refund) throw new Refusal('resource_missing', { message: 'No such refund.' });
  return answerWith(200, publicRefund(refund));
}

export const REFUND_LIST: ListSpec = {
  kind: 'refund',
  path: '/v1/refunds',
  filters: {
    payment_id: textFilter('Refunds of this payment.', paymentIdSchema),
    status: namesFilter('Refunds in one of these states.', REFUND_STATUSES),
  },
  combinations: [[], ['payment_id'], ['status']],
};

const textsOf = (rows: readonly Refund[]): string[] =>
  rows.map((row) => JSON.stringify(publicRefund(row)));

/** `GET /v1/refunds`. */
export async function listRefunds(call: Call): Promise<Answer> {
  const collection = call.api.mongo.refunds;
  return answerList(call, { spec: REFUND_LIST, collection, render: textsOf });
}
