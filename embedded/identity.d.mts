/**
 * Returns the time when the process started, as text. A later process with the same id has another
 * time. Returns undefined for a process that has ended, even if its parent has not noticed.
 */
export function identityOf(pid: number): string | undefined;

/** Sends a signal to a process group; 0 only checks. Returns false if there is no such group. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean;
