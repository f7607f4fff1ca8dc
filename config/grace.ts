/** The time after which a stopping process is killed. */
export const GRACE_MS = 25_000;
/**
 * The longest notice to load balancers before a server stops listening. Requests under way need up
 * to 6 s after it.
 */
export const MAX_DRAIN_SECONDS = 15;
/** The time that a stopping worker needs after its last delivery, to record it and close. */
export const SHUTDOWN_MARGIN_MS = 5_000;
/** The longest delivery. A restart could cut off a longer one, and it would be sent again. */
export const MAX_WEBHOOK_TIMEOUT_MS = GRACE_MS - SHUTDOWN_MARGIN_MS;
