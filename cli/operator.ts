/** The operator at the command line, as the audit names them. */
import { hostname, userInfo } from 'node:os';
import { ConfigError } from '../config.ts';
import type { Actor } from '../domain/audit.ts';

/** The audit keeps the name for good, and shows it at terminals. */
const MAX_NAME = 100;
const VISIBLE = new RegExp(`^\\P{C}{1,${MAX_NAME}}$`, 'u');

/**
 * Returns the operator of the configured name (`TOLLGATE_ACTOR`), else of the operating system's
 * user and the machine. Throws `ConfigError` for a name that is too long or has invisible
 * characters. The name is a claim: whoever reaches the database can make another.
 */
export function operatorOf(configured: string | undefined): Actor {
  const name = configured ?? `${userName()}@${hostname()}`.slice(0, MAX_NAME);
  if (VISIBLE.test(name)) return { type: 'operator', name };
  throw new ConfigError(`TOLLGATE_ACTOR must have 1 to ${MAX_NAME} visible characters.`);
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
