// Plain JavaScript, because the guardian runs it and must start without a compiler.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Position of the start time in /proc/<pid>/stat, counted from the state (proc(5), field 22). */
const START_TIME_FIELD = 19;

/**
 * What tells this process from a later one with the same number: the time it started, as text.
 * A process that is gone, or is dead and only waits for its parent, has none.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function identityOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The program's name stands in parentheses and may hold anything, so count from its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[START_TIME_FIELD];
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sends a signal to a whole process group; false when there is no such group any more.
 * @param {number} pid the group's number, which is its first process's
 * @param {'SIGTERM' | 'SIGKILL' | 0} signal 0 only asks whether the group is there
 * @returns {boolean}
 */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
