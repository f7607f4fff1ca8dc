/** The reference of every call, by the name that the map of addresses has for it. */
import type { Operation } from './operation.ts';
import { CURRENCY_OPERATIONS, ENDPOINT_OPERATIONS, EVENT_OPERATIONS } from './others.ts';
import { PAYMENT_OPERATIONS } from './payments.ts';
import { REFUND_OPERATIONS } from './refunds.ts';

const ALL = {
  ...PAYMENT_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...ENDPOINT_OPERATIONS,
  ...CURRENCY_OPERATIONS,
};

export type OperationId = keyof typeof ALL;

export const OPERATIONS: Readonly<Record<OperationId, Operation>> = ALL;
