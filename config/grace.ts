/** The time that a process may take to stop. The configuration cannot ask for more. */

/** The time after which a stopping process is ended. */
export const GRACE_MS = 25_000;
/** The time that a stopping worker needs after its last delivery, to record it and close. */
export const SHUTDOWN_MARGIN_MS = 5_000;
/** A delivery that may take longer could be cut off by a restart, and sent again. */
export const MAX_WEBHOOK_TIMEOUT_MS = GRACE_MS - SHUTDOWN_MARGIN_MS;
