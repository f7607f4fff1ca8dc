/** Commands about deliveries: what was sent, and sending again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addAction } from './action.ts';

const actions = async () => import('./deliveries.ts');
const replays = async () => import('../operations/replay.ts');

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
  addAction(list, async () => (await actions()).showOneOrMany);
  const resend = program
    .command('resend')
    .description('send the event of a delivery again, or all that an endpoint has not accepted')
    .addOption(new Option('--id <id>', 'one delivery, dlv_...').conflicts(OF_MANY))
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'of these: failed, skipped, stopped', 'failed');
  addAction(withTimes(resend), async () => (await actions()).sendAgain);
  addReplay(program.command('replay').description('send events to an endpoint again, in a body'));
}

/** One delivery is sent as it is: these say which of many, and how. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

function withTimes(command: Command): Command {
  return command
    .option('--since <point>', 'from a time, 10m, 2h, 1d ago, or an event (evt_...) on')
    .option('--until <point>', 'up to a time or an event, without it')
    .option('--count', 'only say how many there are')
    .option('--per-second <number>', 'how many are begun in a second, 1 to 100', '10');
}

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
  addAction(withTimes(start), async () => (await actions()).startOrCount);
  const id = "the replay's id, rpl_...";
  const show = replay.command('show').description('show how far a replay is');
  addAction(show.requiredOption('--id <id>', id), async () => (await replays()).showReplay);
  const list = replay.command('list').description("show an endpoint's latest replays");
  list.requiredOption('--endpoint <id>', ENDPOINT_ID);
  addAction(list, async () => (await replays()).listReplays);
  const stop = replay.command('stop').description('end a replay, and what waits of it');
  addAction(stop.requiredOption('--id <id>', id), async () => (await replays()).endReplay);
}
