/**
 * What tells this process from a later one with the same number: the time it started, as text.
 * A process that is gone, or is dead and only waits for its parent, has none.
 */
export function identityOf(pid: number): string | undefined;

/** Sends a signal to a whole process group (0 only asks); false when there is no such group. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean;
