/** Webhook endpoints: a merchant's registered receivers. */
import { typesOf } from './event.ts';
import type { EventType } from './event.ts';

/** A secret that was replaced and goes on signing until `expires_at`. */
interface PreviousSecret {
  secret: string;
  hint: string;
  expires_at: Date;
}

export interface Endpoint {
  _id: string;
  m: string;
  url: string;
  description: string | null;
  /** Names, `payment.*` or `*`. */
  enabled_events: string[];
  status: 'enabled' | 'disabled' | 'deleted';
  disabled_reason: 'gone' | 'failing' | 'merchant' | null;
  /** The signing secret, encrypted; its last characters for people to tell secrets apart. */
  secret: string;
  secret_hint: string;
  /** Secrets that still sign besides the new one, newest first; past ones are left out in time. */
  previous_secrets?: PreviousSecret[];
  created_at: Date;
  updated_at: Date;
  /** Since when nothing but failures came back; null when the last delivery succeeded. */
  failing_since: Date | null;
}

/** An endpoint that fails for so long, through every attempt of a delivery, is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

export const MAX_URL_LENGTH = 2_048;
/** Endpoints of one merchant and mode: an event makes one delivery for each in one transaction. */
export const MAX_ENDPOINTS = 16;

const HOUR_MS = 60 * 60 * 1000;
/** For how long a replaced secret or API key may go on working, in milliseconds, by its name. */
export const OVERLAPS = {
  '0': 0,
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
} as const;
export type Overlap = keyof typeof OVERLAPS;

/** Every one is a signature on every request; more are in nobody's way but the receiver's. */
export const MAX_LIVE_SECRETS = 3;

/** The secrets (sealed) that sign a request at `now`, the newest first. */
export function liveSecrets(
  endpoint: Pick<Endpoint, 'secret' | 'previous_secrets'>,
  now: Date,
): string[] {
  const previous = (endpoint.previous_secrets ?? []).filter(({ expires_at: end }) => end > now);
  return [endpoint.secret, ...previous.map(({ secret }) => secret)];
}

/**
 * The endpoint with a new secret at `now`. The one it had goes on signing for `overlapMs`, and so do
 * those before it while their time lasts; without an overlap all of them end at once. Undefined
 * when there would be more live secrets than MAX_LIVE_SECRETS.
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
  const living = (endpoint.previous_secrets ?? []).filter(({ expires_at: end }) => end > now);
  const previous = overlapMs === 0 ? [] : [old, ...living];
  if (previous.length >= MAX_LIVE_SECRETS) return undefined;
  const { secret, hint } = fresh;
  return { ...endpoint, secret, secret_hint: hint, previous_secrets: previous };
}

/** Whether an endpoint with these selectors hears of events of that type. */
export function subscribes(enabledEvents: readonly string[], type: EventType): boolean {
  return enabledEvents.some((selector) => typesOf(selector)?.includes(type));
}

/** What a new delivery to that endpoint starts as; undefined when the endpoint gets none. */
export function deliveryStateFor(
  endpoint: Pick<Endpoint, 'status' | 'enabled_events'>,
  type: EventType,
): 'pending' | 'skipped' | undefined {
  if (endpoint.status === 'deleted' || !subscribes(endpoint.enabled_events, type)) return undefined;
  return endpoint.status === 'enabled' ? 'pending' : 'skipped';
}
