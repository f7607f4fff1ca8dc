/** Every request that can carry the id of an object. */
import { ENDPOINT_LIST } from '../../api/endpoints.ts';
import { EVENT_LIST } from '../../api/events.ts';
import { PAYMENT_LIST } from '../../api/payments.ts';
import { REFUND_LIST } from '../../api/refunds.ts';
import type { ROUTES } from '../../api/routes.ts';
import type { Sent } from './harness.ts';

export type Route = (typeof ROUTES)[number];

export const LISTS = [PAYMENT_LIST, REFUND_LIST, EVENT_LIST, ENDPOINT_LIST];
export const isList = ([method, path]: Route): boolean =>
  method === 'GET' && !path.includes(':id') && path !== '/v1/currencies';

/** Returns the bodies with that id, or for a path with that id. */
export const BODIES: Readonly<Record<string, (id: string) => readonly object[]>> = {
  // Its body has no id.
  '/v1/payments': () => [],
  '/v1/payments/:id': () => [{ description: 'Tea' }, { metadata: { basket: null } }],
  '/v1/payments/:id/cancel': () => [{}, { reason: 'out of stock' }],
  '/v1/test/payments/:id/outcome': () => ['approve', 'expire'].map((outcome) => ({ outcome })),
  '/v1/test/payments/:id/advance': () =>
    ['expiry', 'bank_answer', 'next_webhook_attempt'].map((to) => ({ to })),
  '/v1/refunds': (id) =>
    [{}, { amount: 99_999_999 }, { expected_refundable: 12_500 }].map((rest) => {
      return { payment_id: id, ...rest };
    }),
};

export interface IdRequest {
  readonly method: string;
  readonly path: string;
  readonly sent?: Sent;
}

/** Returns every request of the route with that id, without a key and with each key. */
export function requestsFor(
  [method, path]: Route,
  id: string,
  keys: readonly string[],
): IdRequest[] {
  const filled = path.replace(':id', id);
  if (method === 'POST') {
    const bodies = BODIES[path]?.(id) ?? [];
    const repeated = keys.flatMap((key) => bodies.slice(0, 1).map((body) => ({ body, key })));
    const sent = [...bodies.map((body) => ({ body })), ...repeated];
    return sent.map((one) => ({ method, path: filled, sent: one }));
  }
  const list = LISTS.find((one) => one.path === path);
  const filters = Object.keys(list?.filters ?? {}).map((name) => name.replace('*', 'customer'));
  const names = list ? [...filters, 'starting_after', 'ending_before'] : [];
  const addresses = path.includes(':id') ? [filled] : names.map((name) => `${path}?${name}=${id}`);
  return addresses.flatMap((address) => [
    { method, path: address },
    { method: 'HEAD', path: address },
  ]);
}
