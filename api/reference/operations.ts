/** The reference of every call, by its name in `routes.ts`. */
import type { Operation } from './operation.ts';
import { OTHER_OPERATIONS } from './others.ts';
import { PAYMENT_OPERATIONS } from './payments.ts';
import { REFUND_OPERATIONS } from './refunds.ts';

const ALL = { ...PAYMENT_OPERATIONS, ...REFUND_OPERATIONS, ...OTHER_OPERATIONS };

export type OperationId = keyof typeof ALL;

export const OPERATIONS: Readonly<Record<OperationId, Operation>> = ALL;
