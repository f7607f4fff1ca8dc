/** The actions of `deliveries`, `resend` and `replay start`. */
import { resendDelivery, showDeliveries, showDelivery } from '../operations/deliveries.ts';
import type { ListOptions } from '../operations/deliveries.ts';
import { countReplay, startReplay } from '../operations/replay.ts';
import type { ReplayRequest } from '../operations/replay.ts';
import { eventsOf, failuresIn } from '../operations/selection.ts';
import { missing } from './refusals.ts';
import type { OpenServices } from './services.ts';
import { parseSince, pointOf } from './since.ts';

type Shown = Partial<ListOptions> & { id?: string; limit: string };

/** Runs `deliveries`: shows one with its attempts, or those of an endpoint. */
export async function showOneOrMany(
  services: OpenServices,
  { id, endpoint = endpointIn(id), ...options }: Shown,
): Promise<object> {
  if (id !== undefined && id !== endpoint) return showDelivery(services, { id });
  if (endpoint !== undefined) return showDeliveries(services, { endpoint, ...options });
  throw missing(
    'endpoint',
    'It is not clear which deliveries. Give an endpoint, we_..., or one delivery, dlv_...',
  );
}

/** Returns the argument if it is an endpoint, whose deliveries are meant then. */
const endpointIn = (id: string | undefined): string | undefined =>
  id?.startsWith('we_') ? id : undefined;

interface Times {
  since?: string;
  until?: string;
  count?: boolean;
  perSecond?: string;
}

type Resend = Times & { id?: string; endpoint?: string; state: string };

/** Runs `resend`: sends one delivery again, or starts a replay of those that failed. */
export async function sendAgain(services: OpenServices, options: Resend): Promise<object> {
  const { id, endpoint, state } = options;
  if (id !== undefined) {
    const { id: delivery_id, ...more } = await resendDelivery(services, { id });
    return { delivery_id, ...more };
  }
  if (endpoint === undefined) {
    throw missing(
      'id',
      'Nothing to send: give a delivery, dlv_..., or --endpoint we_... --since 2h.',
    );
  }
  return countOrStart(services, options, { endpoint, selection: failuresIn(state) });
}

type ReplayOptions = Times & { endpoint: string; events?: string; payment?: string; ids?: string };

/** Runs `replay start`. With `--count`, only counts what it would send. */
export async function startOrCount(
  services: OpenServices,
  options: ReplayOptions,
): Promise<object> {
  const { endpoint, ids } = options;
  // Events that are given by id need no time.
  const times = ids === undefined ? options : { since: '1970-01-01', ...options };
  return countOrStart(services, times, { endpoint, selection: eventsOf(options) });
}

async function countOrStart(
  services: OpenServices,
  { since, until, count, perSecond }: Times,
  what: Pick<ReplayRequest, 'endpoint' | 'selection'>,
): Promise<object> {
  const now = Date.now();
  if (since === undefined)
    throw missing('since', 'Give --since: a time, how long ago (2h), or an event.');
  const request = {
    ...what,
    from: pointOf(parseSince(since, now), now),
    until: until === undefined ? new Date() : pointOf(parseSince(until, now, 'until'), now),
    perSecond,
  };
  return count ? countReplay(services, request) : startReplay(services, request);
}
