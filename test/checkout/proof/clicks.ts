/** Thousands of clicks on one payment, while other customers pay. */
import { randomInt } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, expect, inject, it } from 'vitest';
import { closeAfterTests } from '../../support/close.ts';
import { mapConcurrently } from '../../support/concurrent.ts';
import { CARD, payWithOutcome } from '../../support/customer.ts';
import { openReceiver } from '../../support/receiver.ts';
import { openDeployment } from '../../support/servers/deployment.ts';
import { until } from '../../support/until.ts';
import { open, submit, submitUntilTaken } from './tab.ts';
import type { Form, Reply } from './tab.ts';

const { clicks } = inject('proof');
const AT_ONCE = 16;
/** Clicks while the payment is neither at the bank nor canceled. */
const EARLY_SHARE = 0.1;
/** Visits that the customer turns back from, before the clicks at the bank. */
const TURN_BACKS = 4;
const MAX_HISTORY_EVENTS = 100;
/** Other customers at the same time. */
const OTHERS = 2;

const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(await openDeployment({ file: 'clicks' }));
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = deployment.env;
const connection = closeAfterTests(await Connection.connect({ address }));
const temporal = new Client({ connection, namespace });

const figures: Record<string, number> = {};
const count = (name: string): void => {
  figures[name] = (figures[name] ?? 0) + 1;
};
afterAll(() => console.log('Clicks on one payment:', figures));

interface Click {
  readonly name: string;
  readonly form: Form;
  readonly fields?: Readonly<Record<string, string>>;
  /** The expected reply, as `status to-or-view`. */
  readonly reply: string;
}

const REAL_CARD = { ...CARD, card_number: '4539578763621486' };

/** Clicks at random, and checks every reply. */
async function clickAll(all: readonly Click[], times: number): Promise<void> {
  await mapConcurrently(Array.from({ length: times }), AT_ONCE, async () => {
    const click = all[randomInt(all.length)]!;
    const reply = await submit(click.form, click.fields);
    count(`${click.name}: ${reply.status}`);
    expect([click.name, summaryOf(reply)]).toEqual([click.name, click.reply]);
  });
}

const summaryOf = ({ status, to, view }: Reply): string => `${status} ${to || view}`;

/** Pays other payments, one after the other, until `over` is aborted. Returns how many. */
async function payOthers(over: AbortSignal, lane: number): Promise<string[]> {
  const ids: string[] = [];
  while (!over.aborted) {
    const other = await merchant.create(`other-${lane}-${ids.length}`);
    await payWithOutcome(other, 'approve');
    await until(
      async () => (await merchant.retrieve(other.id)).status,
      (status) => status === 'completed',
    );
    ids.push(other.id);
  }
  return ids;
}

/** Returns the number of events in all runs of the payment's workflow. */
async function historyEvents(workflowId: string): Promise<number> {
  let total = 0;
  for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    total += events?.length ?? 0;
    figures['runs'] = (figures['runs'] ?? 0) + 1;
  }
  return total;
}

it('leave it payable, its history short, and other payments unharmed', async () => {
  const payment = await merchant.create('clicked');
  const over = new AbortController();
  const lanes = Array.from({ length: OTHERS }, async (_, lane) => payOthers(over.signal, lane));
  const startMs = performance.now();
  const url = payment.checkout_url;
  const card = (await open(url)).form('card-form');
  const question = (await open(`${url}/cancel`)).form('cancel-form');
  const check: Form = { ...question, action: `${url}/check` };
  await clickAll(
    [
      { name: 'a refused card', form: card, fields: REAL_CARD, reply: '422 form' },
      { name: 'no card', form: card, reply: '422 form' },
      { name: 'check again', form: check, reply: `303 ${url}` },
    ],
    Math.round(clicks * EARLY_SHARE),
  );
  const old: Form[] = [];
  for (let i = 0; i < TURN_BACKS; i += 1) {
    const { to } = await submitUntilTaken(card, CARD);
    const bank = (await open(to)).form('bank-form');
    old.push(bank);
    await submitUntilTaken(bank, { outcome: 'turn_back' });
    await until(
      async () => (await open(url)).view,
      (view) => view === 'form',
    );
  }
  const { to } = await submitUntilTaken(card, CARD);
  const bank = (await open(to)).form('bank-form');
  const code = (await open(`${to}/code`)).form('code-form');
  const stale = old.map((form) => ({ form, fields: { outcome: 'approve' } }));
  await clickAll(
    [
      { name: 'a card at the bank', form: card, fields: CARD, reply: `303 ${to}` },
      { name: 'a refused card at the bank', form: card, fields: REAL_CARD, reply: `303 ${to}` },
      { name: 'no outcome', form: bank, reply: '422 bank' },
      { name: 'an unknown outcome', form: bank, fields: { outcome: 'x' }, reply: '422 bank' },
      {
        name: 'a code page',
        form: bank,
        fields: { outcome: 'approve_3ds' },
        reply: `303 ${to}/code`,
      },
      { name: 'no code', form: code, fields: { code: '' }, reply: '422 code' },
      { name: 'cancel', form: question, reply: '409 refused' },
      { name: 'check again at the bank', form: check, reply: `303 ${url}` },
      ...stale.map((each) => ({
        ...each,
        name: 'an old bank page',
        reply: '409 late_turned_back',
      })),
    ],
    clicks - Math.round(clicks * EARLY_SHARE),
  );
  figures['clicks per second'] = Math.round(clicks / ((performance.now() - startMs) / 1_000));
  over.abort();
  const others = (await Promise.all(lanes)).flat();
  figures['other payments completed'] = others.length;
  expect(others.length).toBeGreaterThan(OTHERS);

  figures['history events before it is paid'] = await historyEvents(payment.id);
  await submitUntilTaken(bank, { outcome: 'approve' });
  await until(
    async () => (await open(url)).view,
    (view) => view === 'completed',
  );
  const paid = await merchant.retrieve(payment.id);
  expect([paid.status, paid.attempts_count]).toEqual(['completed', 1]);
  expect((await merchant.events(payment.id)).map(({ type }) => type)).toEqual([
    'payment.completed',
  ]);
  figures['runs'] = 0;
  figures['history events'] = await historyEvents(payment.id);
  expect(figures['history events']).toBeGreaterThan(0);
  expect(figures['history events']).toBeLessThan(MAX_HISTORY_EVENTS);
  // One webhook for this payment, and one for each of the others.
  await until(
    () => receiver.requests.length,
    (length) => length >= others.length + 1,
  );
  expect(receiver.requests).toHaveLength(others.length + 1);
});
