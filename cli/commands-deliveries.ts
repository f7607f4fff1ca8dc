/** Commands that show deliveries and send events again. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addAction, takes } from './action.ts';

const actions = async () => import('./deliveries.ts');
const replays = async () => import('../operations/replay.ts');
const views = async () => import('./views.ts');
const viewSent = async () => (await views()).viewSent;

export const EVENTS = 'types separated by commas, payment.* or *';
export const ENDPOINT_ID = "the endpoint's id, we_...";
const REPLAY_ID = "the replay's id, rpl_...";

/** The options for many deliveries. They cannot be combined with the id of one. */
const OF_MANY = ['endpoint', 'state', 'since', 'until', 'count', 'perSecond'];

/** Adds `deliveries`, `resend` and `replay` to the program. */
export function addDeliveries(program: Command): void {
  const deliveries = addAction(
    program.command('deliveries'),
    async () => (await actions()).showOneOrMany,
    async () => (await views()).viewDeliveries,
  )
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .addOption(new Option('--endpoint <id>', ENDPOINT_ID).hideHelp())
    .option('--state <list>', 'one or more of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the previous page')
    .option('--body', 'with one delivery: show what was sent, and the responses');
  const excludes = ['endpoint', 'state', 'limit', 'startingAfter'];
  const text = 'an endpoint, we_..., or one delivery, dlv_..., with its attempts';
  takes(deliveries, { name: 'id', text, optional: true, excludes });
  const resend = addAction(
    program.command('resend'),
    async () => (await actions()).sendAgain,
    viewSent,
  )
    .description(
      'send the event of a delivery again, or every event that an endpoint has not accepted',
    )
    .option('--endpoint <id>', `${ENDPOINT_ID}: its deliveries since a time`)
    .option('--state <list>', 'one or more of failed, skipped, stopped', 'failed');
  const one = 'one delivery, dlv_...';
  takes(resend, { name: 'id', text: one, optional: true, excludes: OF_MANY });
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
  const start = addAction(
    replay.command('start'),
    async () => (await actions()).startOrCount,
    viewSent,
  )
    .description('send events again, oldest first, even if they were accepted')
    .requiredOption('--endpoint <id>', ENDPOINT_ID)
    .option('--events <list>', `${EVENTS}; by default those of the endpoint`)
    .option('--payment <id>', 'only events of this payment, pay_...')
    .addOption(ids.conflicts(['events', 'payment', 'since', 'until']));
  addTimes(start);
  const id = { name: 'id', text: REPLAY_ID };
  const show = addAction(replay.command('show'), async () => (await replays()).showReplay);
  takes(show, id).description('show the progress of a replay');
  const list = addAction(
    replay.command('list'),
    async () => (await replays()).listReplays,
    async () => (await views()).viewReplays,
  ).description("show an endpoint's latest replays");
  takes(list, { name: 'endpoint', text: ENDPOINT_ID });
  const stop = addAction(replay.command('stop'), async () => (await replays()).endReplay);
  takes(stop, id).description('stop a replay and its pending deliveries');
}
