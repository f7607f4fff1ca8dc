/**
 * Finds the endpoint, delivery or replay that an address names. The operations take ids without a
 * merchant, so every handler of this folder asks here first.
 */
import type { Delivery } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { TenantRow } from '../../domain/merchant.ts';
import type { Replay } from '../../domain/replay.ts';
import { deliveryById } from '../../store/deliveries.ts';
import { endpointById } from '../../store/endpoints.ts';
import { findReplay } from '../../store/replays.ts';
import type { StaffRequest } from '../request.ts';

const idOf = ({ params }: StaffRequest): string => params['id'] ?? '';

/** Returns the endpoint of the address. Throws 404 for a deleted one, or another merchant's. */
export async function ownEndpoint(request: StaffRequest, id = idOf(request)): Promise<Endpoint> {
  const endpoint = requireOwn(request, await endpointById(request.services.mongo, id));
  return endpoint.status === 'deleted' ? request.ctx.throw(404) : endpoint;
}

/** Returns the delivery of the address, or of `id`. Throws 404 for another merchant's. */
export async function ownDelivery(request: StaffRequest, id = idOf(request)): Promise<Delivery> {
  return requireOwn(request, await deliveryById(request.services.mongo, id));
}

/** Returns the replay of the address. Throws 404 for another merchant's. */
export async function ownReplay(request: StaffRequest): Promise<Replay> {
  return requireOwn(request, await findReplay(request.services.mongo, idOf(request)));
}

/** Throws an HTTP error and no `Refusal`: a form for what is not ours is not shown again. */
function requireOwn<Row extends TenantRow>({ ctx, tenant }: StaffRequest, row: Row | null): Row {
  return row?.m === tenant ? row : ctx.throw(404);
}
