/** The names and messages that workflows share with their clients and activities. */
import type { Message } from '../domain/verdict.ts';
import type { PaymentStatus } from '../domain/payment.ts';
import type { RefundStatus } from '../domain/refund.ts';
import type { ReplayStatus } from '../domain/replay.ts';

/** The queue of workflows and settling. Deliveries have a queue and a worker of their own. */
export const PAYMENTS_QUEUE = 'payments';
export const WEBHOOKS_QUEUE = 'webhooks';

export const PAYMENT_WORKFLOW = 'payment';
export const REFUND_WORKFLOW = 'refund';
export const REPLAY_WORKFLOW = 'replay';
export const SWEEP_WORKFLOW = 'sweep';
export const SWEEP_SCHEDULE_ID = 'sweep';
export const DELIVER_ACTIVITY = 'deliverWebhook';

/** Signal: the bank has answered, or something else is due. The details are in MongoDB. */
export const WAKE_SIGNAL = 'bankAnswered';
/** Update: a request (cancel, expire, look) that waits for its result. */
export const ASK_UPDATE = 'ask';

/** The header of starts and activities with their trace. Temporal's own packages use this name. */
export const TRACE_HEADER = '_tracer-data';

export interface PaymentInput {
  payment_id: string;
}

export interface SettleInput {
  payment_id: string;
  message: Message;
  /** The workflow's own time, unix milliseconds. */
  now_ms: number;
}

export interface SettleResult {
  status: PaymentStatus | 'missing';
  /** True if nothing more will happen to the payment. */
  done: boolean;
  /** The next due time, unix milliseconds; 0 when done. */
  wake_at_ms: number;
}

export interface RefundInput {
  refund_id: string;
}

export interface SettleRefundInput {
  refund_id: string;
  /** The workflow's own time, unix milliseconds. */
  now_ms: number;
}

export interface SettleRefundResult {
  status: RefundStatus | 'missing';
  /** The time to ask the bank again, unix milliseconds; 0 when the refund has ended. */
  wake_at_ms: number;
}

/** The shortest sleep of a workflow. Clocks differ, and shorter sleeps would fill the history. */
export const MIN_WAIT_MS = 1_000;

export interface DeliverInput {
  delivery_id: string;
}

export interface ReplayInput {
  replay_id: string;
}

export interface SendReplayResult {
  status: ReplayStatus | 'missing';
  /** The time of the next batch, unix milliseconds; 0 if there is none. */
  wake_at_ms: number;
}

/**
 * The steps of a sweep's round: the kinds of row that it resumes, the statistics, and the deletion
 * of old records.
 */
export type SweepStep = 'payments' | 'refunds' | 'replays' | 'deliveries' | 'counting' | 'pruning';

/** The result of a sweep's round. The first four members count the rows that were resumed. */
export interface SweepResult {
  payments: number;
  refunds: number;
  replays: number;
  deliveries: number;
  /** Rows that could not be resumed. The worker logs each with its id. */
  failed: number;
  /** Steps that failed or ran out of time. The next round continues with them. */
  unfinished: SweepStep[];
  /** Events and payments that were added to the statistics. */
  counted: number;
  /** Records of deliveries that were deleted for their age. */
  pruned: number;
}

/** The activities of the queue `payments`. */
export interface PaymentActivities {
  settlePayment(input: SettleInput): Promise<SettleResult>;
  settleRefund(input: SettleRefundInput): Promise<SettleRefundResult>;
  sendReplay(input: ReplayInput): Promise<SendReplayResult>;
  sweep(): Promise<SweepResult>;
}

/** The Standalone Activity of a delivery. It has the delivery's id. */
export interface DeliveryActivities {
  deliverWebhook(input: DeliverInput): Promise<void>;
}
