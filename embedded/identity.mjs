// Plain JavaScript, because the guardian runs it and must start without a compiler.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Position of the start time in /proc/<pid>/stat, counted from the state (proc(5), field 22). */
const START_TIME_FIELD = 19;

/** @type {typeof import('./identity.d.mts').identityOf} */
export function identityOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The program's name, in parentheses, may contain anything, so count from its end.
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

/** @type {typeof import('./identity.d.mts').signalGroup} */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
