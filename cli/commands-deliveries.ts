/** Commands about deliveries: what was sent, and sending again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { Refusal } from '../operations/refusal.ts';
import { showDeliveries, showDelivery } from '../operations/deliveries.ts';
import type { ListOptions } from '../operations/deliveries.ts';
import {
  countReplay,
  endReplay,
  eventsOf,
  failuresIn,
  listReplays,
  showReplay,
  startReplay,
} from '../operations/replay.ts';
import type { ReplayRequest } from '../operations/replay.ts';
import { resendDelivery } from '../operations/resend.ts';
import { act } from './act.ts';
import type { OpenServices } from './services.ts';
import { parseSince, pointOf } from './since.ts';

export const EVENTS = 'comma list of types, payment.* or *';
export const ENDPOINT_ID = "the endpoint's id, we_...";

/** Adds `deliveries`, `resend` and `replay` to the program. */
export function addDeliveries(program: Command): void {
  const list = program
    .command('deliveries')
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .option('--endpoint <id>', ENDPOINT_ID)
    .addOption(
      new Option('--id <id>', 'one delivery, dlv_...: everything that was sent and came back')
        // What would be left unheeded beside it.
        .conflicts(['endpoint', 'state', 'limit', 'startingAfter']),
    )
    .option('--state <state>', 'one of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the page before');
  act(list, showOneOrMany);
  const resend = program
    .command('resend')
    .description('send the event of a delivery again, or all that an endpoint has not accepted')
    .addOption(new Option('--id <id>', 'one delivery, dlv_...').conflicts(OF_MANY))
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'of these: failed, skipped, stopped', 'failed');
  act(withTimes(resend), sendAgain);
  addReplay(program.command('replay').description('send events to an endpoint again, in a body'));
}

/** One delivery is sent as it is: these say which of many, and how. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

type Shown = Partial<ListOptions> & { id?: string; limit: string };

async function showOneOrMany(
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

function withTimes(command: Command): Command {
  return command
    .option('--since <point>', 'from a time, 10m, 2h, 1d ago, or an event (evt_...) on')
    .option('--until <point>', 'up to a time or an event, without it')
    .option('--count', 'only say how many there are')
    .option('--per-second <number>', 'how many are begun in a second, 1 to 100', '10');
}

type Resend = Times & { id?: string; endpoint?: string; state: string };

async function sendAgain(services: OpenServices, options: Resend): Promise<object> {
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

function addReplay(replay: Command): void {
  const start = replay
    .command('start')
    .description('send events again, oldest first, whether or not they were accepted before')
    .requiredOption('--endpoint <id>', ENDPOINT_ID)
    .option('--events <list>', `${EVENTS}; all that the endpoint hears of otherwise`)
    .option('--payment <id>', 'of one payment, pay_...')
    .addOption(
      new Option('--ids <list>', 'these alone, evt_..., with commas between them').conflicts([
        'events',
        'payment',
        'since',
        'until',
      ]),
    );
  act(withTimes(start), async (services, options: ReplayOptions) => {
    const { endpoint, ids } = options;
    // What is named one by one needs no time to be found.
    const times = ids === undefined ? options : { since: '1970-01-01', ...options };
    const request = { endpoint, ...stretchOf(times), selection: eventsOf(options) };
    return countOrStart(services, options, request);
  });
  const id = "the replay's id, rpl_...";
  const show = replay.command('show').description('show how far a replay is');
  act(show.requiredOption('--id <id>', id), showReplay);
  const list = replay.command('list').description("show an endpoint's latest replays");
  act(list.requiredOption('--endpoint <id>', ENDPOINT_ID), listReplays);
  const stop = replay.command('stop').description('end a replay, and what waits of it');
  act(stop.requiredOption('--id <id>', id), endReplay);
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
