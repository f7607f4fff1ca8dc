/** Commands that show deliveries and send events again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addAction } from './action.ts';

const actions = async () => import('./deliveries.ts');
const replays = async () => import('../operations/replay.ts');

export const EVENTS = 'types separated by commas, payment.* or *';
export const ENDPOINT_ID = "the endpoint's id, we_...";
const REPLAY_ID = "the replay's id, rpl_...";

/** The options for many deliveries. They cannot be combined with the id of one. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

/** Adds `deliveries`, `resend` and `replay` to the program. */
export function addDeliveries(program: Command): void {
  const one = 'one delivery, dlv_..., with every request and response';
  const ofList = ['endpoint', 'state', 'limit', 'startingAfter'];
  addAction(program.command('deliveries'), async () => (await actions()).showOneOrMany)
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .option('--endpoint <id>', ENDPOINT_ID)
    .addOption(new Option('--id <id>', one).conflicts(ofList))
    .option('--state <state>', 'one of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the previous page');
  const resend = addAction(program.command('resend'), async () => (await actions()).sendAgain)
    .description(
      'send the event of a delivery again, or every event that an endpoint has not accepted',
    )
    .addOption(new Option('--id <id>', 'one delivery, dlv_...').conflicts(OF_MANY))
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'one or more of failed, skipped, stopped', 'failed');
  addTimes(resend);
  addReplay(program.command('replay').description('send events to an endpoint again, as a group'));
}

function addTimes(command: Command): void {
  command
    .option(
      '--since <point>',
      'start at a time, some time ago (10m, 2h, 1d), or an event (evt_...)',
    )
    .option('--until <point>', 'end before this time or event')
    .option('--count', 'only count them')
    .option('--per-second <number>', 'how many to start per second, 1 to 100', '10');
}

function addReplay(replay: Command): void {
  const ids = new Option('--ids <list>', 'only these events, evt_..., separated by commas');
  const start = addAction(replay.command('start'), async () => (await actions()).startOrCount)
    .description('send events again, oldest first, even if they were accepted')
    .requiredOption('--endpoint <id>', ENDPOINT_ID)
    .option('--events <list>', `${EVENTS}; by default those of the endpoint`)
    .option('--payment <id>', 'only events of this payment, pay_...')
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
