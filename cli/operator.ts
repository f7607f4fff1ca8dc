/** The operator at the command line, as an actor in the audit. */
import { hostname, userInfo } from 'node:os';
import { ConfigError } from '../config.ts';
import type { Actor } from '../domain/audit.ts';

/**
 * The maximum length of a name, in characters. The audit keeps names forever, and terminals show
 * them.
 */
const MAX_NAME = 100;
const VISIBLE = new RegExp(`^\\P{C}{1,${MAX_NAME}}$`, 'u');

/**
 * Returns the operator. Its name is `TOLLGATE_ACTOR` if that is set, else the operating system's
 * user and the machine. Throws `ConfigError` for a name that is too long or has invisible
 * characters. The name is not proof: anyone who can reach the database can claim another one.
 */
export function operatorOf(configured: string | undefined): Actor {
  const name = configured ?? `${userName()}@${hostname()}`.slice(0, MAX_NAME);
  if (VISIBLE.test(name)) return { type: 'operator', name };
  throw new ConfigError(`TOLLGATE_ACTOR must have 1 to ${MAX_NAME} visible characters.`);
}

/** Returns the user's name, or `uid-` and the id: a container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
