import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH } from '../../api/json.ts';
import { GUIDES } from '../../docs/guides.ts';
import { groupDigits } from '../../checkout/brands.ts';
import { CHOICES, HARD_CODES, TEST_CARDS } from '../../domain/bank.ts';
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/delivery.ts';
import { DISABLE_AFTER_MS } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { CURRENCIES, displayAmount } from '../../domain/money.ts';
import { MAX_METADATA_KEYS, PAYMENT_STATUSES, isFinal } from '../../domain/payment.ts';
import { DEFAULT_RETENTION_DAYS } from '../../domain/retention.ts';
import { REFUND_STATUSES, REFUND_TEST_OUTCOMES } from '../../domain/refund.ts';
import { MAX_PAIR_CHARS, MAX_SEARCHED_PAIRS } from '../../domain/search.ts';
import { signatureHeaders } from '../../outbound/sign.ts';
import { putPayment, openStand } from '../api/harness.ts';
import { PROJECT } from '../support/servers/programs.ts';

const run = promisify(execFile);
const FOLDER = path.join(PROJECT, 'docs', 'guides');
const read = (name: string): string => readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');

/** Returns the table cells of a guide, row by row, without backticks. */
const rowsOf = (name: string): string[][] =>
  read(name)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));

/** Returns the rows whose first cell is one of the names. */
const rowsAbout = (name: string, about: readonly string[]) =>
  new Map(
    rowsOf(name)
      .filter(([first = '']) => about.includes(first))
      .map(([first = '', ...rest]) => [first, rest]),
  );

describe('the guides', () => {
  it('are all in the page', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''));
    expect([...GUIDES, 'errors'].toSorted()).toEqual(files.toSorted());
  });

  it('list every status, and mark the final ones', () => {
    const rows = rowsAbout('payment', PAYMENT_STATUSES);
    const marks = PAYMENT_STATUSES.map((status) => rows.get(status)?.at(-1));
    expect(marks).toEqual(PAYMENT_STATUSES.map((status) => (isFinal(status) ? 'yes' : 'no')));
    for (const code of HARD_CODES) expect(read('payment')).toContain(`\`${code}\``);
  });

  it('list every event type', () => {
    expect([...rowsAbout('webhooks', EVENT_TYPES).keys()]).toEqual(EVENT_TYPES);
  });

  it('have the real schedule of retries, time until disabling, and retention', () => {
    const units = DEFAULT_SCHEDULE_SECONDS.slice(1).map((seconds) => {
      if (seconds < 60) return `${seconds} s`;
      return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
    });
    const text = read('webhooks').replaceAll('\n', ' ');
    expect(text).toContain(`${units.slice(0, -1).join(', ')} and ${units.at(-1)}`);
    expect(text).toContain(`${DISABLE_AFTER_MS / 86_400_000} days of nothing but failures`);
    expect(DEFAULT_SCHEDULE_SECONDS).toHaveLength(12);
    expect(text).toContain(`delivery is kept for ${DEFAULT_RETENTION_DAYS} days`);
  });

  it('have a test vector that matches the signer', () => {
    const text = read('webhooks');
    const find = (form: RegExp): string => form.exec(text)?.[1] ?? '';
    const [body = ''] = /^\{.*"evt_.*\}$/m.exec(text) ?? [];
    const message = { id: find(/`(evt_\w+)`/), timestamp: Number(find(/`(\d{10})`/)) };
    const compact = JSON.stringify(JSON.parse(body));
    expect(body).toBe(compact);
    const headers = signatureHeaders({ ...message, body }, [find(/`(whsec_[\w+/=]{20,})`/)]);
    expect(text).toContain(`\nService-Signature: ${headers['Service-Signature']}\n`);
    expect(text).toContain(`\nwebhook-signature: ${headers['webhook-signature']}\n`);
  });

  it('list every test card with its outcome', () => {
    const numbers = TEST_CARDS.map(({ number }) => groupDigits(number));
    const rows = rowsAbout('test-mode', numbers);
    expect([...rows.keys()]).toEqual(numbers);
    expect([...rows.values()].flat()).toEqual(TEST_CARDS.map(({ preselects }) => preselects));
  });

  it('list every outcome of the sandbox bank, for payments and refunds', () => {
    const outcomes = [...CHOICES, 'expire'];
    const listed = new Set(rowsAbout('test-mode', outcomes).keys());
    expect(outcomes.filter((outcome) => !listed.has(outcome))).toEqual([]);
    const refunds = rowsAbout('refunds', Object.keys(REFUND_TEST_OUTCOMES));
    for (const [name, { becomes, delayMs }] of Object.entries(REFUND_TEST_OUTCOMES)) {
      const when = delayMs === 0 ? 'at once' : `after ${delayMs / 1000} s`;
      expect([name, refunds.get(name)]).toEqual([name, [`${becomes} ${when}`]]);
    }
    for (const status of REFUND_STATUSES) expect(read('refunds')).toContain(`\`${status}\``);
  });

  it('list the currencies', () => {
    const rows = rowsAbout(
      'test-mode',
      CURRENCIES.map(({ code }) => code),
    );
    expect([...rows]).toEqual(
      CURRENCIES.map(({ code, decimals, min }) => [
        code,
        [String(decimals), displayAmount(1250, code), String(min)],
      ]),
    );
  });

  it('have the limits of metadata', () => {
    expect(read('lists')).toContain(`at most ${MAX_PAIR_CHARS} characters together`);
    expect(read('lists')).toContain(`more than ${MAX_SEARCHED_PAIRS} keys`);
    expect(read('payment')).toContain(`at most ${MAX_METADATA_KEYS} keys`);
  });

  it('have the limit on nesting', () => {
    expect(read('limits')).toContain(`nested at most ${MAX_JSON_DEPTH} deep`);
  });
});

const stand = await openStand('guides');

describe('the example of an error', () => {
  it('is the response of the service', async () => {
    const [, text = ''] = /```json\n([\s\S]*?)```/.exec(read('errors')) ?? [];
    const body = { amount: 12_500, currency: 'AMD', retrun_url: 'https://shop.example/' };
    const { json } = await stand.api.send('POST', '/v1/payments', { body });
    const shown = JSON.parse(text.replaceAll('http://localhost:8080', 'https://api.example'));
    expect(json).toEqual({
      error: { ...shown.error, request_id: expect.stringMatching(/^req_\w{26}$/) },
    });
    expect(shown.error.request_id).toMatch(/^req_\w{26}$/);
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Runs a block in a shell, as a reader does, and returns the response. */
async function runBlock(text: string, payment: string): Promise<unknown> {
  const command = text.replaceAll('http://localhost:8080', stand.api.url);
  const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${command}`;
  const events = await stand.api.send('GET', '/v1/events');
  const env = {
    PATH: process.env['PATH'] ?? '',
    KEY: stand.tenant.secret,
    PAYMENT: payment,
    LAST_EVENT: events.json.data.at(-1)?.id ?? '',
  };
  return JSON.parse((await run('bash', ['-c', script], { env })).stdout);
}

(hasCurl ? describe : describe.skip)('the curl commands of the guides', () => {
  /** Every shell block with a call, by guide and number. */
  const commands = GUIDES.flatMap((name) =>
    [...read(name).matchAll(/```sh\n(curl (?!-O)[\s\S]*?)```/g)].map(([, text = ''], index) => {
      return [`${name} ${index + 1}`, text] as const;
    }),
  );

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(7);
  });

  it.each(commands)('work: %s', async (_, text) => {
    // A refund needs a paid payment, and the calls of test mode an open one.
    const isOpen = text.includes('/v1/test/') || text.includes('/v1/payments/$PAYMENT');
    const status = isOpen ? 'created' : 'completed';
    const { _id } = await putPayment(stand, { status });
    const open = await putPayment(stand);
    await stand.api.send('POST', `/v1/payments/${open._id}/cancel`, { body: {} });
    const response = (await runBlock(text, _id)) as { object: string; status?: string };
    expect(['payment', 'refund', 'list']).toContain(response.object);
    if (text.includes('/outcome')) expect(response.status).toBe('completed');
    if (text.includes('/advance')) expect(response.status).toBe('expired');
  });
});
