/** `tollgate endpoint create` */
import { OutboundRefused, parseReceiver, resolveReceiver } from '../activities/address.ts';
import { makeWebhookSecret } from '../activities/sign.ts';
import { MAX_ENDPOINTS, MAX_URL_LENGTH } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { typesOf } from '../domain/event.ts';
import { timeOf } from '../domain/id.ts';
import { tenantOf } from '../domain/merchant.ts';
import { insertEndpoint } from '../store/endpoints.ts';
import { findMerchant } from '../store/merchants.ts';
import { mintId } from '../store/mint.ts';
import { Refusal } from './refusal.ts';
import type { Registry } from './services.ts';

const MAX_DESCRIPTION = 255;
/** What is shown of a secret later, so that people can tell secrets apart. */
export const HINT_LENGTH = 4;

export interface CreatedEndpoint extends Record<string, unknown> {
  id: string;
  /** Shown this one time. */
  secret: string;
}

/**
 * Registers a receiver of the merchant's test mode. Throws `Refusal` for an unknown merchant, an
 * unknown event, or a URL that leads where we do not send.
 */
export async function createEndpoint(
  { mongo, sealer, opened }: Registry,
  options: { merchant: string; url: string; events: string; description?: string },
): Promise<CreatedEndpoint> {
  const merchant = await findMerchant(mongo, options.merchant);
  if (!merchant) throw new Refusal('resource_missing', 'There is no such merchant.', 'merchant');
  const events = checkEvents(options.events);
  const description =
    options.description === undefined ? null : checkDescription(options.description);
  const url = await checkUrl(options.url, opened);
  const id = mintId('endpoint');
  const secret = makeWebhookSecret();
  // Lists filter by the time in the id, so the time that is shown has to be the same.
  const now = new Date(timeOf(id));
  const endpoint: Endpoint = {
    _id: id,
    m: tenantOf(merchant._id, 'test'),
    url,
    description,
    enabled_events: events,
    status: 'enabled',
    disabled_reason: null,
    secret: sealer.seal(secret, id),
    secret_hint: secret.slice(-HINT_LENGTH),
    created_at: now,
    updated_at: now,
    failing_since: null,
  };
  if (!(await insertEndpoint(mongo, endpoint))) {
    throw new Refusal('parameter_invalid', `A merchant has at most ${MAX_ENDPOINTS} endpoints.`);
  }
  return { id, secret };
}

/** A comma list of event types, `payment.*` or `*`. */
export function checkEvents(list: string): string[] {
  const events = list.split(',').map((event) => event.trim());
  const unknown = events.find((event) => typesOf(event) === undefined);
  if (unknown === undefined) return events;
  throw new Refusal('parameter_invalid', `There is no event type "${unknown}".`, 'events');
}

export function checkDescription(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const message = `A description has at most ${MAX_DESCRIPTION} characters.`;
  throw new Refusal('parameter_invalid', message, 'description');
}

/** A name that cannot be resolved now may be one day: only what is forbidden is refused. */
export async function checkUrl(text: string, opened: Registry['opened']): Promise<string> {
  if (text.length > MAX_URL_LENGTH) {
    throw new Refusal('url_invalid', `A URL has at most ${MAX_URL_LENGTH} characters.`, 'url');
  }
  try {
    const url = parseReceiver(text);
    await resolveReceiver(url, opened);
    return url.href;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    if (error.code === 'dns_failed') return new URL(text).href;
    throw new Refusal('url_invalid', error.message, 'url');
  }
}
