/** Commands that use the public API. Only `explain --delivery` and `smoke --receive` need more. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addLocalAction, takes } from './action.ts';

const VISIBLE =
  '\nOther users of this machine can see the options of a running command. Give a secret as -, ' +
  'which reads one line from standard input, or set its variable.';
const RECEIVER = 'your receiver, such as http://localhost:9000/webhooks';
const SECRET = 'the signing secret, whsec_...; - reads standard input (or TOLLGATE_WEBHOOK_SECRET)';

/** Adds all of these commands. */
export function addLocalCommands(program: Command): void {
  addMerchantCommands(program);
  addSmoke(program.command('smoke'));
  addVerifyPage(program.command('verify-page [url]'));
}

/** Adds the commands for a merchant's developer, which the package of the client has too. */
export function addMerchantCommands(program: Command): void {
  const listen = addLocalAction(program.command('listen'), async () => {
    return (await import('./listen.ts')).listen;
  })
    .description('forward events as they happen to a local address, with valid signatures')
    .option('--forward-to <url>', RECEIVER)
    .addOption(new Option('--print', 'only show the events').conflicts('forwardTo'))
    .option('--body', 'show the whole events')
    .option('--events <list>', 'types separated by commas, payment.* or *', '*')
    .option(
      '--since <point>',
      'start at a time, some time ago (10m, 2h, 1d), or after an event (evt_...)',
    )
    .option('--secret <secret>', `${SECRET}; by default one that is kept for the key`);
  addAccess(listen);

  const trigger = addLocalAction(program.command('trigger <type>'), async () => {
    return (await import('./trigger.ts')).trigger;
  })
    .description('cause an event of that type, with a payment in test mode')
    .option('--order-id <text>', "the payment's order id")
    .option('--amount <number>', "the payment's amount, in the minor unit", '12500')
    .option('--currency <code>', "the payment's currency", 'AMD')
    .option(
      '--fail <number>',
      'count the first 1 to 3 attempts of its webhooks as failed, so that they are sent again',
    );
  addAccess(trigger);

  const advance = addLocalAction(program.command('advance <payment>'), async () => {
    return (await import('./advance.ts')).advance;
  })
    .description('make the next step of a test payment due now')
    .requiredOption('--to <time>', 'expiry, bank_answer or next_webhook_attempt');
  addAccess(advance);

  const check = addLocalAction(program.command('check'), async () => {
    return (await import('./check.ts')).checkReceiver;
  })
    .description('test a receiver: what it accepts, what it refuses, and how fast')
    .option('--secret <secret>', SECRET);
  addAccess(takes(check, { name: 'url', text: RECEIVER }));
  addExplain(program.command('explain'));
}

/** Adds the command that prints the completion of all commands of `program`. */
export function addCompletion(program: Command): void {
  const completion = addLocalAction(program.command('completion'), async () => {
    const { completionOf, shellOf } = await import('./completion.ts');
    return ({ shell = '' }: { shell?: string; json?: boolean }) => {
      console.log(completionOf(program, shellOf(shell)));
    };
  }).description('print a script that completes commands and options in a shell');
  takes(completion, { name: 'shell', text: 'bash, zsh or fish' });
}

function addSmoke(command: Command): void {
  addLocalAction(command, async () => (await import('./smoke.ts')).smoke)
    .description('make, pay and refund one test payment through the public addresses')
    .option(
      '--receive <url>',
      'the address at which the service reaches this command: receives webhooks at its port, with ' +
        'an endpoint of its own (needs the database); by default reads the list of events',
    )
    .option('--every <time>', 'repeat until it is stopped: 30s, 5m or 1h')
    .option('--metrics <port>', 'with --every: serve metrics for Prometheus at /metrics');
  addAccess(command);
}

const EXIT_CODES =
  '\nThe exit code is 0 if the page is the same, 1 if it differs, 2 for wrong usage, and 3 if there\n' +
  'is no page to verify. The version of the command must be that of the server.';

function addVerifyPage(command: Command): void {
  addLocalAction(command, async () => (await import('./verify-page.ts')).verifyAndPrint)
    .description(
      'compare a payment page with this version: its headers, scripts and style sheets; by default ' +
        'the page of a test payment, which is canceled afterwards',
    )
    .addHelpText('after', EXIT_CODES);
  addAccess(command);
}

/** Adds the options of all commands that call the API. */
function addAccess(command: Command): void {
  command
    .option('--api-key <key>', 'a test key; - reads standard input (or TOLLGATE_API_KEY)')
    .option('--api-url <url>', "the API's address (or TOLLGATE_API_URL)")
    .option('--json', 'print lines of JSON')
    .addHelpText('after', VISIBLE);
}

const collect = (value: string, known: string[] = []): string[] => [...known, value];

const BODY =
  'the raw body, byte for byte; with --delivery, the body that your code signed; - reads standard ' +
  'input';
/** The options that a stored delivery has its own values for. */
const STORED = ['timestamp', 'id', 'secret', 'oldSecret'];

function addExplain(explain: Command): void {
  const delivery = 'a delivery that the service sent, dlv_...; needs its database';
  const attempt = 'its number in the delivery, from 1; the last one by default';
  const timestamp =
    'the header webhook-timestamp or Service-Timestamp; by default that of --header';
  const id = "the header webhook-id; by default that of --header, or the body's id";
  const oldSecret = 'another secret that may have been used; - reads standard input; repeatable';
  addLocalAction(explain, async () => (await import('./explain.ts')).explain)
    .description('show what a webhook signature signs, and why a computed one differs')
    .option('--body <file>', BODY)
    .option('--timestamp <seconds>', timestamp)
    .option('--id <id>', id)
    .option('--secret <secret>', SECRET)
    .option('--old-secret <secret>', oldSecret, collect)
    .addOption(new Option('--attempt <number>', attempt).conflicts(STORED))
    .option('--computed <value>', 'what your code computed; repeatable', collect)
    .option('--header <line>', 'a header as received, "Name: value"; repeatable', collect)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `\nThe exit code is 1 if a signature that was given is wrong.\n${VISIBLE}`,
    );
  takes(explain, { name: 'delivery', text: delivery, optional: true, excludes: STORED });
}
