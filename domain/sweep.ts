/** The time after a row's due time when the sweep resumes it, in milliseconds. */
export type SweepGrace = Readonly<Record<'paymentMs' | 'refundMs' | 'deliveryMs', number>>;

/**
 * The row's own workflow gets this time to act first. Temporal starts the retries of deliveries on
 * time: after a minute, a retry is lost.
 */
export const DEFAULT_SWEEP_GRACE: SweepGrace = {
  paymentMs: 15_000,
  refundMs: 15_000,
  deliveryMs: 60_000,
};
