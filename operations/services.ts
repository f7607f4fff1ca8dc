/** The services and helpers that operations on merchants, endpoints and deliveries share. */
import type { Range } from '../outbound/address.ts';
import { composeEntry } from '../domain/audit.ts';
import type { Act, Actor, AuditEntry } from '../domain/audit.ts';
import { mintId } from '../store/mint.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Sealer } from '../store/seal.ts';
import type { Temporal } from '../temporal/client.ts';

export interface Services {
  readonly mongo: Mongo;
  /** The actor of changes with these services, for the audit. */
  readonly actor: Actor;
  readonly sealer: Sealer;
  /** Ranges besides the public ones that receivers may be in. */
  readonly opened: readonly Range[];
  readonly temporal: Pick<Temporal, 'startDelivery'>;
}

/** The services of operations that start nothing. */
export type Registry = Omit<Services, 'temporal'>;

/** A result for people. Its names are in snake_case, because it may be printed as JSON. */
export type Shown = Record<string, unknown>;

/** Returns the audit entry about an act of the services' actor, for the transaction of the act. */
export function entryOf({ actor }: Pick<Services, 'actor'>, act: Act): AuditEntry {
  return composeEntry(act, { id: mintId('audit'), actor });
}

/** Returns when the work starts. If the call fails, the sweep finds the row and starts it later. */
export async function startTime(call: Promise<void>): Promise<'now' | 'within a minute or two'> {
  return call.then(
    () => 'now' as const,
    () => 'within a minute or two' as const,
  );
}
