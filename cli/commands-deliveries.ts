/** Commands about deliveries: what was sent, and sending again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addAction } from './action.ts';

const actions = async () => import('./deliveries.ts');
const replays = async () => import('../operations/replay.ts');

export const EVENTS = 'types with commas between them, payment.* or *';
export const ENDPOINT_ID = "the endpoint's id, we_...";

/** Adds `deliveries`, `resend` and `replay` to the program. */
export function addDeliveries(program: Command): void {
  const list = program
    .command('deliveries')
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .option('--endpoint <id>', ENDPOINT_ID)
    .addOption(
      new Option('--id <id>', 'one delivery, dlv_...: everything that was sent and came back')
        // They would have no effect beside it.
        .conflicts(['endpoint', 'state', 'limit', 'startingAfter']),
    )
    .option('--state <state>', 'one of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the previous page');
  addAction(list, async () => (await actions()).showOneOrMany);
  const resend = program
    .command('resend')
    .description('send the event of a delivery again, or all that an endpoint has not accepted')
    .addOption(new Option('--id <id>', 'one delivery, dlv_...').conflicts(OF_MANY))
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'one or more of failed, skipped, stopped', 'failed');
  addAction(withTimes(resend), async () => (await actions()).sendAgain);
  addReplay(program.command('replay').description('send events to an endpoint again, as a group'));
}

/** The options about many deliveries. They have no effect on a single one. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

function withTimes(command: Command): Command {
  return command
    .option('--since <point>', 'from a time, 10m, 2h, 1d ago, or an event (evt_...) on')
    .option('--until <point>', 'up to a time or an event, which is not included')
    .option('--count', 'only count them')
    .option('--per-second <number>', 'how many are started in a second, 1 to 100', '10');
}

function addReplay(replay: Command): void {
  const start = replay
    .command('start')
    .description('send events again, oldest first, whether or not they were accepted before')
    .requiredOption('--endpoint <id>', ENDPOINT_ID)
    .option('--events <list>', `${EVENTS}; by default those of the endpoint`)
    .option('--payment <id>', 'of one payment, pay_...')
    .addOption(
      new Option('--ids <list>', 'only these, evt_..., with commas between them').conflicts([
        'events',
        'payment',
        'since',
        'until',
      ]),
    );
  addAction(withTimes(start), async () => (await actions()).startOrCount);
  const id = "the replay's id, rpl_...";
  const show = replay.command('show').description('show the progress of a replay');
  addAction(show.requiredOption('--id <id>', id), async () => (await replays()).showReplay);
  const list = replay.command('list').description("show an endpoint's latest replays");
  list.requiredOption('--endpoint <id>', ENDPOINT_ID);
  addAction(list, async () => (await replays()).listReplays);
  const stop = replay.command('stop').description('stop a replay and its pending deliveries');
  addAction(stop.requiredOption('--id <id>', id), async () => (await replays()).endReplay);
}
