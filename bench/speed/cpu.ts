/** The processor time of processes, from Linux's /proc. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process so far, in seconds. */
function secondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Starts to count. Returns a function that returns the seconds of each process since then. */
export function cpuSecondsOf(pids: Readonly<Record<string, number>>) {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, secondsOf(pid)] as const);
  return (): Record<string, number> =>
    Object.fromEntries(before.map(([name, pid, seconds]) => [name, secondsOf(pid) - seconds]));
}
