/** Webhook endpoints: retrieve and list. The dashboard and the command line register them. */
import type { Endpoint } from '../domain/endpoint.ts';
import { isId } from '../domain/id.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { Refusal } from '../operations/refusal.ts';
import { lastSuccessAt } from '../store/deliveries.ts';
import { findEndpoint } from '../store/endpoints.ts';
import type { Call, Reply } from './call.ts';
import { replyWithPage } from './lists.ts';
import type { ListSpec } from './query.ts';

export const ENDPOINT_LIST: ListSpec = {
  kind: 'endpoint',
  path: '/v1/webhook-endpoints',
  filters: {},
  combinations: [[]],
};

/** Returns the endpoint as JSON. Reads its deliveries, because a merchant has few endpoints. */
async function textOf({ api }: Call, endpoint: Endpoint): Promise<string> {
  return JSON.stringify(publicEndpoint(endpoint, await lastSuccessAt(api.mongo, endpoint)));
}

/** `GET /v1/webhook-endpoints`. */
export async function listEndpoints(call: Call): Promise<Reply> {
  return replyWithPage(call, {
    spec: ENDPOINT_LIST,
    collection: call.api.mongo.endpoints,
    always: { status: { $ne: 'deleted' } },
    render: async (row) => textOf(call, row),
  });
}

/** `GET /v1/webhook-endpoints/{id}`. */
export async function getEndpoint(call: Call): Promise<Reply> {
  const { api, caller, id } = call;
  const endpoint = isId('endpoint', id) ? await findEndpoint(api.mongo, caller.tenant, id) : null;
  if (!endpoint) throw new Refusal('resource_missing', { message: 'No such webhook endpoint.' });
  return { status: 200, text: await textOf(call, endpoint) };
}
