/** Handlers of the forms of an endpoint. */
import * as change from '../../operations/change-endpoint.ts';
import { Refusal } from '../../operations/refusal.ts';
import { NO_FORM } from '../form.ts';
import type { Result, StaffRequest } from '../request.ts';
import { endpointPage } from './endpoint.tsx';
import { chosenEvents } from './events.tsx';
import { ownEndpoint } from './own.ts';

/** `POST /webhooks/:id` */
export async function updateEndpoint(request: StaffRequest): Promise<Result> {
  const { operations, form } = request;
  const { _id: id } = await ownEndpoint(request);
  await change.updateEndpoint(operations, {
    id,
    url: form.get('url'),
    description: form.get('description'),
    events: chosenEvents(form),
    version: form.get('version'),
  });
  return { to: `/webhooks/${id}`, done: 'saved' };
}

/** `POST /webhooks/:id/enable`. Leads to what was missed meanwhile, if there is anything. */
export async function enableEndpoint(request: StaffRequest): Promise<Result> {
  const { _id: id } = await ownEndpoint(request);
  const enabled = await change.enableEndpoint(request.operations, { id });
  const { missed_since: since } = enabled as { missed_since: string | null };
  if (since === null || !request.may('deliveries.resend')) {
    return { to: `/webhooks/${id}`, done: 'endpoint_enabled' };
  }
  const query = new URLSearchParams({ kind: 'deliveries', since });
  for (const state of ['skipped', 'stopped']) query.append('state', state);
  return { to: `/webhooks/${id}/replays?${query}`, done: 'endpoint_missed' };
}

/** `POST /webhooks/:id/disable` */
export async function disableEndpoint(request: StaffRequest): Promise<Result> {
  const { _id: id } = await ownEndpoint(request);
  await change.disableEndpointByHand(request.operations, { id });
  return { to: `/webhooks/${id}`, done: 'endpoint_disabled' };
}

/** `POST /webhooks/:id/secret`. The new secret is shown once, in the response. */
export async function rotateSecret(request: StaffRequest): Promise<Result> {
  const { operations, form } = request;
  const { _id: id } = await ownEndpoint(request);
  const options = { id, overlap: form.get('overlap'), version: form.get('version') };
  const { secret } = (await change.rotateSecret(operations, options)) as { secret: string };
  return { page: await endpointPage({ ...request, form: NO_FORM }, { secret }) };
}

/** `POST /webhooks/:id/delete` */
export async function deleteEndpoint(request: StaffRequest): Promise<Result> {
  const { _id: id } = await ownEndpoint(request);
  if (request.form.get('sure') !== 'yes') {
    throw Refusal.ofParam('sure', 'Check the box to delete the endpoint.');
  }
  await change.deleteEndpoint(request.operations, { id });
  return { to: '/webhooks', done: 'endpoint_deleted' };
}
