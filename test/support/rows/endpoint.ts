/** Builders of endpoints, events and deliveries. */
import { makeWebhookSecret } from '../../../outbound/sign.ts';
import type { Delivery } from '../../../domain/delivery.ts';
import type { Endpoint } from '../../../domain/endpoint.ts';
import { eventBody } from '../../../domain/event.ts';
import type { Event } from '../../../domain/event.ts';
import { SAMPLE_OBJECTS } from '../../../domain/samples.ts';
import { mintId } from '../../../store/mint.ts';
import { makeSealer } from '../../../store/seal.ts';

/** Seals and opens webhook secrets in tests and in their workers. */
export const sealer = makeSealer(Buffer.alloc(32, 7));

/** Creates an enabled endpoint for all events. `signing` is its secret in plain text. */
export function makeEndpoint(
  overrides: Partial<Endpoint> & Pick<Endpoint, 'm'>,
  signing = makeWebhookSecret(),
): Endpoint {
  const id = overrides._id ?? mintId('endpoint');
  const createdAt = overrides.created_at ?? new Date();
  return {
    _id: id,
    url: 'https://shop.example/hooks',
    description: null,
    enabled_events: ['*'],
    status: 'enabled',
    disabled_reason: null,
    secret: sealer.seal(signing, id),
    secret_hint: signing.slice(-4),
    created_at: createdAt,
    updated_at: createdAt,
    failing_since: null,
    ...overrides,
  };
}

/** Creates a ping or a sample event. Its body has multi-byte letters. */
export function makeEvent(overrides: Partial<Event> & Pick<Event, 'm'>): Event {
  const id = overrides._id ?? mintId('event');
  const createdAt = overrides.created_at ?? new Date();
  const type = overrides.type ?? 'webhook_endpoint.ping';
  const object = { ...SAMPLE_OBJECTS[type], description: 'Շնորհակալություն, спасибо' };
  return {
    _id: id,
    type,
    payment_id: null,
    cause: `${id}:ping`,
    body: eventBody({ id, type, createdAt, livemode: false, object, request: null }),
    created_at: createdAt,
    ...overrides,
  };
}

/** Creates a pending delivery without attempts, due now. */
export function makeDelivery(
  overrides: Partial<Delivery> & Pick<Delivery, 'm' | 'endpoint_id' | 'event_id'>,
): Delivery {
  const createdAt = overrides.created_at ?? new Date();
  return {
    _id: mintId('delivery'),
    state: 'pending',
    attempts: [],
    next_attempt_at: createdAt,
    created_at: createdAt,
    ...overrides,
  };
}
