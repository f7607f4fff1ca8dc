/** The sweep looks after what should have happened and has not. */

/** How long after its time a row counts as left lying, in milliseconds. */
export interface SweepGrace {
  readonly paymentMs: number;
  readonly refundMs: number;
  readonly deliveryMs: number;
}

/**
 * What the workflow itself is about to do is left to it for a while. A retry of a delivery that
 * Temporal holds comes on time; after a minute it has been lost.
 */
export const DEFAULT_SWEEP_GRACE: SweepGrace = {
  paymentMs: 15_000,
  refundMs: 15_000,
  deliveryMs: 60_000,
};
