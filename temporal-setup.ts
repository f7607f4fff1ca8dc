/**
 * What Temporal has to know before it accepts our calls: the namespace, the search attributes and,
 * for workers, the schedule of the sweep. Every step may be repeated at any time.
 */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import {
  SearchAttributeType,
  TypedSearchAttributes,
  defineSearchAttributeKey,
} from '@temporalio/common';
import type { SearchAttributePair } from '@temporalio/common';
import type { Payment } from './domain/payment.ts';
import type { Refund } from './domain/refund.ts';
import type { Log } from './log.ts';
import { PAYMENTS_QUEUE, SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from './workflows/messages.ts';

const merchantId = defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD);
const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
const currency = defineSearchAttributeKey('Currency', SearchAttributeType.KEYWORD);
const amount = defineSearchAttributeKey('Amount', SearchAttributeType.INT);

/** As Temporal's own enumeration numbers the types of search attributes. */
const INDEXED_KEYWORD = 2;
const INDEXED_INT = 3;
const ATTRIBUTES = {
  MerchantId: INDEXED_KEYWORD,
  OrderId: INDEXED_KEYWORD,
  Currency: INDEXED_KEYWORD,
  Amount: INDEXED_INT,
} as const;

/** How long a namespace that we register keeps finished workflows, in seconds (7 days). */
const RETENTION_SECONDS = 7 * 24 * 60 * 60;
/** A namespace that was just registered is known everywhere after this long at the latest. */
const NAMESPACE_SETTLE_MS = 10_000;
const NAMESPACE_POLL_MS = 100;
const SWEEP_TIMEOUT = '5 minutes';

/** What an operator can search payments by in Temporal's UI. */
export function paymentAttributes(payment: Payment): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: merchantId, value: payment.merchant_id },
    { key: currency, value: payment.currency },
    { key: amount, value: payment.amount },
  ];
  if (payment.order_id !== null) pairs.push({ key: orderId, value: payment.order_id });
  return new TypedSearchAttributes(pairs);
}

/** The same of a refund; its summary names it, and the payment is a look-up away. */
export function refundAttributes(refund: Refund): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: merchantId, value: refund.m.slice(0, refund.m.indexOf(':')) },
    { key: currency, value: refund.currency },
    { key: amount, value: refund.amount },
  ]);
}

/**
 * Makes sure of namespace and search attributes, and that the server has Standalone Activities.
 * Answers whether search attributes can be used. Throws when Temporal is away or too old.
 */
export async function prepareNamespace(client: Client, name: string, log: Log): Promise<boolean> {
  await ensureNamespace(client, name);
  const { operatorService } = client.connection as { operatorService?: OperatorService };
  if (!operatorService) return true;
  try {
    const known = await operatorService.listSearchAttributes({ namespace: name });
    const missing = Object.entries(ATTRIBUTES).filter(([key]) => !known.customAttributes?.[key]);
    if (missing.length === 0) return true;
    const searchAttributes = Object.fromEntries(missing);
    await operatorService.addSearchAttributes({ namespace: name, searchAttributes });
    return true;
  } catch (error) {
    if (!isCode(error, PERMISSION_DENIED, UNIMPLEMENTED)) throw error;
    log.warn('search attributes cannot be registered here; payments run without them');
    return false;
  }
}

interface OperatorService {
  listSearchAttributes(request: { namespace: string }): Promise<{
    customAttributes?: Record<string, unknown> | null;
  }>;
  addSearchAttributes(request: {
    namespace: string;
    searchAttributes: Record<string, number>;
  }): Promise<unknown>;
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  const service = client.workflowService;
  const describe = async () => service.describeNamespace({ namespace: name });
  const found = await describe().catch(async (error: unknown) => {
    if (!isCode(error, NOT_FOUND)) throw error;
    await registerNamespace(client, name);
    return describe();
  });
  await untilKnown(client, name);
  if (found.namespaceInfo?.capabilities?.standaloneActivities !== true) {
    throw new Error(
      'This Temporal server has no Standalone Activities, which deliver the webhooks: ' +
        'use server 1.32 or newer, or switch them on in 1.31.',
    );
  }
}

async function registerNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.workflowService.registerNamespace({
      namespace: name,
      workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
    });
  } catch (error) {
    // Server and worker boot at the same time: one of them comes second.
    if (!isCode(error, ALREADY_EXISTS)) throw error;
  }
}

/** Unlike a description, a count goes through the caches that every other call goes through. */
async function untilKnown(client: Client, name: string): Promise<void> {
  const end = Date.now() + NAMESPACE_SETTLE_MS;
  for (;;) {
    try {
      await client.workflowService.countWorkflowExecutions({ namespace: name });
      return;
    } catch (error) {
      if (!isCode(error, NOT_FOUND) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, NAMESPACE_POLL_MS);
    });
  }
}

/** Makes sure that the sweep is scheduled; a schedule that is there is left as it is. */
export async function ensureSweep(
  client: Client,
  options: { everySeconds: number; idPrefix?: string; queueSuffix?: string },
): Promise<void> {
  const { idPrefix = '', queueSuffix = '' } = options;
  try {
    await client.schedule.create({
      scheduleId: idPrefix + SWEEP_SCHEDULE_ID,
      spec: { intervals: [{ every: options.everySeconds * 1000 }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: SWEEP_WORKFLOW,
        workflowId: idPrefix + SWEEP_SCHEDULE_ID,
        taskQueue: PAYMENTS_QUEUE + queueSuffix,
        args: [],
        workflowExecutionTimeout: SWEEP_TIMEOUT,
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

function isCode(error: unknown, ...codes: number[]): boolean {
  return codes.includes((error as { code?: number }).code ?? -1);
}
