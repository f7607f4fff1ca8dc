/** The actions of `deliveries`, `resend` and `replay start`. */
import { showDeliveries, showDelivery } from '../operations/deliveries.ts';
import type { ListOptions } from '../operations/deliveries.ts';
import { Refusal } from '../operations/refusal.ts';
import { countReplay, eventsOf, failuresIn, startReplay } from '../operations/replay.ts';
import type { ReplayRequest } from '../operations/replay.ts';
import { resendDelivery } from '../operations/resend.ts';
import type { OpenServices } from './services.ts';
import { parseSince, pointOf } from './since.ts';

type Shown = Partial<ListOptions> & { id?: string; limit: string };

/** Shows one delivery with its attempts, or those of an endpoint. */
export async function showOneOrMany(
  services: OpenServices,
  { id, endpoint, ...options }: Shown,
): Promise<object> {
  if (id !== undefined) return showDelivery(services, { id });
  if (endpoint !== undefined) return showDeliveries(services, { endpoint, ...options });
  const message = 'Give --endpoint we_... to list deliveries, or --id dlv_... to see one.';
  throw new Refusal('parameter_missing', { message, param: 'endpoint' });
}

interface Times {
  since?: string;
  until?: string;
  count?: boolean;
  perSecond?: string;
}

type Resend = Times & { id?: string; endpoint?: string; state: string };

/** Sends one delivery again, or starts a replay of those that failed. */
export async function sendAgain(services: OpenServices, options: Resend): Promise<object> {
  const { id, endpoint, state } = options;
  if (id !== undefined) return resendDelivery(services, { id });
  if (endpoint === undefined) {
    const message = 'Say what to send again: --id dlv_..., or --endpoint we_... with --since.';
    throw new Refusal('parameter_missing', { message, param: 'id' });
  }
  const request = { endpoint, ...stretchOf(options), selection: failuresIn(state) };
  return countOrStart(services, options, request);
}

type ReplayOptions = Times & { endpoint: string; events?: string; payment?: string; ids?: string };

/** Starts a replay, or counts what it would send. */
export async function startOrCount(
  services: OpenServices,
  options: ReplayOptions,
): Promise<object> {
  const { endpoint, ids } = options;
  // Events that are named by id need no time.
  const times = ids === undefined ? options : { since: '1970-01-01', ...options };
  const request = { endpoint, ...stretchOf(times), selection: eventsOf(options) };
  return countOrStart(services, options, request);
}

async function countOrStart(
  services: OpenServices,
  times: Times,
  request: ReplayRequest,
): Promise<object> {
  const paced = { ...request, perSecond: times.perSecond };
  return times.count ? countReplay(services, paced) : startReplay(services, paced);
}

function stretchOf({ since, until }: Times): Pick<ReplayRequest, 'from' | 'until'> {
  const now = Date.now();
  if (since === undefined) {
    throw new Refusal('parameter_missing', {
      message: 'Give --since: a time, 2h, or an event.',
      param: 'since',
    });
  }
  return {
    from: pointOf(parseSince(since, now), now),
    until: until === undefined ? new Date() : pointOf(parseSince(until, now, 'until'), now),
  };
}
