/**
 * The audit: who did what, and when. It has an entry for each change by a person, and for each
 * change by the service on a merchant's behalf. Entries are never deleted, so they contain no
 * secret, no hash of a secret, and nothing about a customer.
 */
import { shownUrl } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { timeOf } from './id.ts';

export interface Actor {
  /** An operator at the command line, a user, an API key, or the service itself. */
  readonly type: 'operator' | 'user' | 'api_key' | 'system';
  /** `user@host` of an operator, or the id of a user or a key. */
  readonly name: string;
}

/** The actor of automatic changes. */
export const SYSTEM: Actor = { type: 'system', name: 'tollgate' };

/** The actions that are recorded. The word before the dot is the kind of the object. */
export const ACTIONS = [
  'merchant.create',
  'merchant.invite',
  'merchant.update',
  'user.invite',
  'user.withdraw_invite',
  'user.join',
  'user.update',
  'user.remove',
  'user.sign_in',
  'user.change_password',
  'user.create_reset',
  'user.reset_password',
  'user.enable_second_step',
  'user.disable_second_step',
  'user.renew_recovery_codes',
  'user.add_passkey',
  'user.remove_passkey',
  'key.create',
  'key.roll',
  'key.revoke',
  'endpoint.create',
  'endpoint.update',
  'endpoint.enable',
  'endpoint.disable',
  'endpoint.delete',
  'endpoint.rotate_secret',
  'endpoint.ping',
  'endpoint.example',
  'endpoint.check',
  'payment.advance',
  'payment.cancel',
  'payment.update',
  'refund.create',
  'delivery.resend',
  'replay.start',
  'replay.stop',
  'encryption_key.rotate',
  'encryption_key.reseal',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Fields without secrets, named as people see them. */
type Details = Readonly<Record<string, unknown>>;

export interface Act {
  readonly action: Action;
  readonly objectId: string;
  /** Null if the act concerns the whole installation. */
  readonly merchantId: string | null;
  /** The changed fields, before and after the act. */
  readonly before?: Details;
  readonly after?: Details;
}

export interface AuditEntry {
  _id: string;
  at: Date;
  actor: Actor;
  action: Action;
  object: { kind: string; id: string };
  merchant_id: string | null;
  before: Details | null;
  after: Details | null;
}

/** Returns the audit entry about an act. Entries are listed by id, so the id gives the time too. */
export function composeEntry(
  { action, objectId, merchantId, before, after }: Act,
  { id, actor }: { id: string; actor: Actor },
): AuditEntry {
  const [kind = ''] = action.split('.');
  return {
    _id: id,
    at: new Date(timeOf(id)),
    actor: { type: actor.type, name: actor.name },
    action,
    object: { kind, id: objectId },
    merchant_id: merchantId,
    before: unlessEmpty(before),
    after: unlessEmpty(after),
  };
}

/** Returns the ids of the users, or of the API keys, that acted. */
export function actorIds(
  entries: readonly Pick<AuditEntry, 'actor'>[],
  type: 'user' | 'api_key',
): string[] {
  return entries.flatMap(({ actor }) => (actor.type === type ? [actor.name] : []));
}

const unlessEmpty = (details: Details = {}): Details | null =>
  Object.keys(details).length === 0 ? null : details;

/** Returns the fields of an endpoint that differ, without secrets, or all fields of a new one. */
export function endpointChange(
  before: Endpoint | null,
  after: Endpoint,
): { before: Details; after: Details } {
  const [old, now] = [before && fieldsOf(before), fieldsOf(after)];
  const changed = Object.keys(now).filter(
    (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now[name]),
  );
  const shown = (fields: Details | null): Details =>
    fields === null ? {} : Object.fromEntries(changed.map((name) => [name, show(fields, name)]));
  return { before: shown(old), after: shown(now) };
}

function fieldsOf(endpoint: Endpoint): Details {
  const { url, description, enabled_events, status, disabled_reason, secret_hint } = endpoint;
  const { previous_secrets: previous = [] } = endpoint;
  const old_secrets = previous.map(({ hint, expires_at }) => ({ hint, expires_at }));
  return { url, description, enabled_events, status, disabled_reason, secret_hint, old_secrets };
}

function show(fields: Details, name: string): unknown {
  return name === 'url' ? shownUrl(String(fields[name])) : fields[name];
}
