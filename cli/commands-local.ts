/** Commands for a merchant's developer on his own machine: they need a test key and no database. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { CheckOptions } from './check.ts';
import type { ExplainOptions, ExplainStored } from './explain.ts';
import type { ListenOptions } from './listen.ts';
import type { SecretOptions } from './secrets.ts';
import type { TriggerOptions } from './trigger.ts';

/** Adds `listen`, `trigger`, `check` and `explain` to the program. */
export function addLocalCommands(program: Command): void {
  addListen(program);
  addTrigger(program);
  addCheck(program);
  addExplain(program);
}

/** The options that all commands share which speak to the API. */
function withAccess(command: Command): Command {
  return command
    .option('--api-key <key>', 'a test key; - reads standard input (or TOLLGATE_API_KEY)')
    .option('--api-url <url>', 'where the API is (or TOLLGATE_API_URL)')
    .option('--json', 'print lines of JSON')
    .addHelpText('after', VISIBLE);
}

const SECRET = 'the signing secret, whsec_...; - reads standard input (or TOLLGATE_WEBHOOK_SECRET)';

const VISIBLE =
  '\nOther users of this machine can see the options of a running command. Give a secret as -, ' +
  'which reads one line from standard input, or by its variable.';

function addListen(program: Command): void {
  const command = program
    .command('listen')
    .description('forward events as they happen to a local address, with valid signatures')
    .requiredOption('--forward-to <url>', 'your receiver, such as http://localhost:9000/webhooks')
    .option('--events <list>', 'comma list of types, payment.* or *', '*')
    .option('--since <point>', 'begin with a time, 10m, 2h, 1d ago, or after an event (evt_...)')
    .option('--secret <secret>', `${SECRET}; made up otherwise`);
  withAccess(command).action(async (options: ListenOptions) => {
    const { listen } = await import('./listen.ts');
    await run(options, async (given) => untilStopped(async (signal) => listen(given, signal)));
  });
}

function addTrigger(program: Command): void {
  const command = program
    .command('trigger <type>')
    .description('make an event of that type happen, by a payment in test mode')
    .option('--order-id <text>', 'of the payment')
    .option('--amount <number>', 'of the payment, in the minor unit', '12500')
    .option('--currency <code>', 'of the payment', 'AMD');
  withAccess(command).action(async (type: string, options: TriggerOptions) => {
    const { trigger } = await import('./trigger.ts');
    await run(options, async (given) => trigger(type, given));
  });
}

function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description('try a receiver out: what it takes, what it refuses, and how fast')
    .requiredOption('--url <url>', 'your receiver, such as http://localhost:9000/webhooks')
    .option('--secret <secret>', SECRET);
  withAccess(command).action(async (options: CheckOptions) => {
    const { checkReceiver } = await import('./check.ts');
    await run(options, checkReceiver);
  });
}

const collect = (value: string, known: string[] = []): string[] => [...known, value];

const ATTEMPT = 'of the delivery, from 1; the last one otherwise';
const BODY =
  'the raw body, byte for byte; with --delivery, the body that your code signed; - reads standard ' +
  'input';
const OLD_SECRET = 'another secret that may have been used; - reads standard input; repeatable';
/** A stored delivery has these itself. */
const STORED = ['timestamp', 'id', 'secret', 'oldSecret'];

function addExplain(program: Command): void {
  const given = 'a delivery that the service sent, dlv_...; needs its database';
  program
    .command('explain')
    .description('show what is signed of a webhook request, and what a wrong signature comes from')
    .option('--body <file>', BODY)
    .option(
      '--timestamp <seconds>',
      'the header webhook-timestamp or Service-Timestamp; as --header has it otherwise',
    )
    .option('--id <id>', "the header webhook-id; that of --header, or the body's id, otherwise")
    .option('--secret <secret>', SECRET)
    .option('--old-secret <secret>', OLD_SECRET, collect)
    .addOption(new Option('--delivery <id>', given).conflicts(STORED))
    .addOption(new Option('--attempt <number>', ATTEMPT).conflicts(STORED))
    .option('--computed <value>', 'what your code computed; repeatable', collect)
    .option('--header <line>', 'a header as it came, "Name: value"; repeatable', collect)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', VISIBLE)
    .action(async ({ delivery: id, ...options }: ExplainOptions & Partial<ExplainStored>) => {
      const { explain, explainStored } = await import('./explain.ts');
      await (id === undefined
        ? run(options, async (ready) => explain(ready))
        : explainStored({ ...options, delivery: id }));
    });
}

/** Runs `work` with a signal that Ctrl-C aborts. A second Ctrl-C ends the process at once. */
async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.once(name, abort);
  try {
    await work(stop.signal);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

type Given = SecretOptions & { json?: boolean };

/** Runs an action in the way of `run` in local.ts, which loads more than the help needs. */
async function run<T extends Given>(
  options: T,
  action: (given: T) => Promise<void> | void,
): Promise<void> {
  const local = await import('./local.ts');
  await local.run(options, action);
}
