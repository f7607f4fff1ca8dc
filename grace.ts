/** How long a process may take to stop. The configuration may ask for nothing that takes longer. */

/** A process that was told to stop is ended after this time. */
export const GRACE_MS = 25_000;
/** What a worker that stops needs besides the longest delivery under way: to record it and close. */
export const SHUTDOWN_MARGIN_MS = 5_000;
/** A delivery that may take longer could be cut off by a restart, and sent again. */
export const MAX_WEBHOOK_TIMEOUT_MS = GRACE_MS - SHUTDOWN_MARGIN_MS;
