/** Webhook endpoints: a merchant's registered receivers. */
import { typesOf } from './event.ts';
import type { EventType } from './event.ts';

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
