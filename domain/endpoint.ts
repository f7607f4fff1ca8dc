/** Webhook endpoints: a merchant's registered receivers. */
import { typesOf } from './event.ts';
import type { EventType } from './event.ts';
import type { TenantRow } from './merchant.ts';

/** A replaced secret, which signs until `expires_at`. */
interface PreviousSecret {
  secret: string;
  hint: string;
  expires_at: Date;
}

export interface Endpoint extends TenantRow {
  _id: string;
  url: string;
  description: string | null;
  /** Names, `payment.*` or `*`. */
  enabled_events: string[];
  status: 'enabled' | 'disabled' | 'deleted';
  disabled_reason: 'gone' | 'failing' | 'merchant' | null;
  /** The signing secret, encrypted. */
  secret: string;
  /** The last characters of the secret, for people. */
  secret_hint: string;
  /** Replaced secrets, newest first. Expired ones are removed at the next rotation. */
  previous_secrets?: PreviousSecret[];
  created_at: Date;
  updated_at: Date;
  /** The time of the first failure since the last success; null after a success. */
  failing_since: Date | null;
}

/** The time of failures after which an endpoint is disabled, once a delivery is out of attempts. */
export const DISABLE_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

export const MAX_URL_LENGTH = 2_048;

/** Returns the URL as audits and pages show it: without its query, which may have a token. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?...'}`;
}

/** The most endpoints of a tenant: an event creates a delivery for each in one transaction. */
export const MAX_ENDPOINTS = 16;

const HOUR_MS = 60 * 60 * 1000;
/** The times for which a replaced secret or API key may keep working, in milliseconds. */
export const OVERLAPS = {
  '0': 0,
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
} as const;
export type Overlap = keyof typeof OVERLAPS;

/** The most secrets of an endpoint: each is a signature on every request. */
export const MAX_LIVE_SECRETS = 3;

type Secrets = Pick<Endpoint, 'secret' | 'previous_secrets'>;

const unexpired = ({ previous_secrets: previous = [] }: Secrets, now: Date): PreviousSecret[] =>
  previous.filter(({ expires_at: end }) => end > now);

/** Returns the sealed secrets that sign a request at `now`, newest first. */
export function liveSecrets(endpoint: Secrets, now: Date): string[] {
  return [endpoint.secret, ...unexpired(endpoint, now).map(({ secret }) => secret)];
}

/**
 * Returns the endpoint with a new secret at `now`. The old secret signs for another `overlapMs`,
 * and earlier ones until they expire. Without an overlap, all of them expire at once. Returns
 * undefined if there would be more than MAX_LIVE_SECRETS.
 */
export function withNewSecret(
  endpoint: Endpoint,
  fresh: { secret: string; hint: string },
  { overlapMs, now }: { overlapMs: number; now: Date },
): Endpoint | undefined {
  const old: PreviousSecret = {
    secret: endpoint.secret,
    hint: endpoint.secret_hint,
    expires_at: new Date(now.getTime() + overlapMs),
  };
  const previous = overlapMs === 0 ? [] : [old, ...unexpired(endpoint, now)];
  if (previous.length >= MAX_LIVE_SECRETS) return undefined;
  const { secret, hint } = fresh;
  return { ...endpoint, secret, secret_hint: hint, previous_secrets: previous };
}

/** Returns true if one of the selectors includes events of that type. */
export function subscribes(enabledEvents: readonly string[], type: EventType): boolean {
  return enabledEvents.some((selector) => typesOf(selector)?.includes(type));
}

/** Returns the first state of a delivery to that endpoint; undefined if it gets none. */
export function deliveryStateFor(
  endpoint: Pick<Endpoint, 'status' | 'enabled_events'>,
  type: EventType,
): 'pending' | 'skipped' | undefined {
  if (endpoint.status === 'deleted' || !subscribes(endpoint.enabled_events, type)) return undefined;
  return endpoint.status === 'enabled' ? 'pending' : 'skipped';
}
