/** What people's work on endpoints and deliveries takes, and the start of what it makes. */
import type { Range } from '../outbound/address.ts';
import { composeEntry } from '../domain/audit.ts';
import type { Act, Actor, AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/delivery.ts';
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

/** What registering something takes. */
export type Registry = Omit<Services, 'temporal'>;

/** What people are shown; it crosses a wire or goes to a terminal, so its names are in snake_case. */
export type Shown = Record<string, unknown>;

/** Returns the audit entry about an act of the services' actor, for the transaction of the act. */
export function entryOf({ actor }: Pick<Services, 'actor'>, act: Act): AuditEntry {
  return composeEntry(act, { id: mintId('audit'), actor });
}

/** Starts a delivery. If that fails, the sweep finds its row and starts it later. */
export async function beginDelivery(
  { temporal }: Pick<Services, 'temporal'>,
  { _id }: Delivery,
): Promise<{ id: string; starts: string }> {
  const isStarted = await temporal.startDelivery(_id).then(
    () => true,
    () => false,
  );
  return { id: _id, starts: isStarted ? 'now' : 'within a minute or two' };
}
