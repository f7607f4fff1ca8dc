/** Events: retrieve and list, each with the exact bytes that were delivered. */
import { EVENT_SELECTORS, typesOf } from '../domain/event.ts';
import { isId } from '../domain/id.ts';
import { Refusal } from '../operations/refusal.ts';
import { findEvent } from '../store/events.ts';
import type { Call, Reply } from './call.ts';
import { replyWithPage } from './lists.ts';
import { namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import { paymentIdSchema } from './schemas.ts';

export const EVENT_LIST: ListSpec = {
  kind: 'event',
  path: '/v1/events',
  filters: {
    type: namesFilter('Events of one of these types or families.', EVENT_SELECTORS, typesOf),
    payment_id: textFilter('Events about this payment and its refunds.', paymentIdSchema),
  },
  combinations: [[], ['type'], ['payment_id'], ['payment_id', 'type']],
};

/** `GET /v1/events`. */
export async function listEvents(call: Call): Promise<Reply> {
  const collection = call.api.mongo.events;
  return replyWithPage(call, { spec: EVENT_LIST, collection, render: ({ body }) => body });
}

/** `GET /v1/events/{id}`. */
export async function getEvent({ api, caller, id }: Call): Promise<Reply> {
  const event = isId('event', id) ? await findEvent(api.mongo, caller.tenant, id) : null;
  if (!event) throw new Refusal('resource_missing', { message: 'No such event.' });
  return { status: 200, text: event.body };
}
