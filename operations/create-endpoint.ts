/** Registering a merchant's receiver of webhooks. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import { endpointChange } from '../domain/audit.ts';
import { MAX_ENDPOINTS } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { timeOf } from '../domain/id.ts';
import { tenantOf } from '../domain/merchant.ts';
import { insertEndpoint } from '../store/endpoints.ts';
import { mintId } from '../store/mint.ts';
import { checkDescription, checkEvents, checkUrl, requireMerchant } from './checks.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Registry } from './services.ts';

/** The number of a secret's last characters that are shown later, to tell secrets apart. */
export const HINT_LENGTH = 4;

/**
 * Registers a receiver in the merchant's test mode. Returns its signing secret, which is shown only
 * once. Throws `Refusal` for an unknown merchant, an unknown event type or a forbidden URL, and if
 * another endpoint was registered since the person looked.
 */
export async function createEndpoint(
  services: Registry,
  options: {
    merchant: string;
    url: string;
    events: string;
    description?: string;
    /** The id of the newest endpoint that the person saw; empty if there was none. */
    newest?: string;
  },
) {
  const { mongo, sealer, opened } = services;
  const merchant = await requireMerchant(services, options.merchant);
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
  const entry = entryOf(services, {
    action: 'endpoint.create',
    objectId: id,
    merchantId: merchant._id,
    after: endpointChange(null, endpoint).after,
  });
  const outcome = await insertEndpoint(mongo, endpoint, { entry, newest: options.newest });
  if (outcome === 'inserted') return { id, secret };
  const message =
    outcome === 'full'
      ? `A merchant has at most ${MAX_ENDPOINTS} endpoints.`
      : 'The endpoints have changed since this page was loaded: check the list first.';
  throw new Refusal('parameter_invalid', { message });
}
