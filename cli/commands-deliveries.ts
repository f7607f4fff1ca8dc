/** Commands about deliveries: what was sent, and sending again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addAction } from './action.ts';

const actions = async () => import('./deliveries.ts');
const replays = async () => import('../operations/replay.ts');

export const EVENTS = 'types with commas between them, payment.* or *';
export const ENDPOINT_ID = "the endpoint's id, we_...";
const REPLAY_ID = "the replay's id, rpl_...";

/** The options about many deliveries. They have no effect on a single one. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

/** Adds `deliveries`, `resend` and `replay` to the program. */
export function addDeliveries(program: Command): void {
  const one = 'one delivery, dlv_...: everything that was sent and came back';
  const ofList = ['endpoint', 'state', 'limit', 'startingAfter'];
  addAction(program.command('deliveries'), async () => (await actions()).showOneOrMany)
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .option('--endpoint <id>', ENDPOINT_ID)
    .addOption(new Option('--id <id>', one).conflicts(ofList))
    .option('--state <state>', 'one of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the previous page');
  const resend = addAction(program.command('resend'), async () => (await actions()).sendAgain)
    .description('send the event of a delivery again, or all that an endpoint has not accepted')
    .addOption(new Option('--id <id>', 'one delivery, dlv_...').conflicts(OF_MANY))
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'one or more of failed, skipped, stopped', 'failed');
  addTimes(resend);
  addReplay(program.command('replay').description('send events to an endpoint again, as a group'));
}

function addTimes(command: Command): void {
  command
    .option('--since <point>', 'from a time, 10m, 2h, 1d ago, or an event (evt_...) on')
    .option('--until <point>', 'up to a time or an event, which is not included')
    .option('--count', 'only count them')
    .option('--per-second <number>', 'how many are started in a second, 1 to 100', '10');
}

function addReplay(replay: Command): void {
  const ids = new Option('--ids <list>', 'only these, evt_..., with commas between them');
  const start = addAction(replay.command('start'), async () => (await actions()).startOrCount)
    .description('send events again, oldest first, also those that were accepted before')
    .requiredOption('--endpoint <id>', ENDPOINT_ID)
    .option('--events <list>', `${EVENTS}; by default those of the endpoint`)
    .option('--payment <id>', 'of one payment, pay_...')
    .addOption(ids.conflicts(['events', 'payment', 'since', 'until']));
  addTimes(start);
  addAction(replay.command('show'), async () => (await replays()).showReplay)
    .description('show the progress of a replay')
    .requiredOption('--id <id>', REPLAY_ID);
  addAction(replay.command('list'), async () => (await replays()).listReplays)
    .description("show an endpoint's latest replays")
    .requiredOption('--endpoint <id>', ENDPOINT_ID);
  addAction(replay.command('stop'), async () => (await replays()).endReplay)
    .description('stop a replay and its pending deliveries')
    .requiredOption('--id <id>', REPLAY_ID);
}
