import { beforeEach, describe, expect, it } from 'vitest';
import { makeCounter } from '../../../activities/count.ts';
import type { FailureCode } from '../../../domain/bank.ts';
import type { Event } from '../../../domain/event.ts';
import { localAmount } from '../../../domain/money.ts';
import { tallyEvent } from '../../../domain/stats.ts';
import { ROLES, may } from '../../../domain/user.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import { LIVE_ROWS, SETTLED_MS } from '../../../store/stats.ts';
import { serveApi } from '../../api/harness.ts';
import type { RunningApi } from '../../api/harness.ts';
import { closeAfterTests } from '../../support/close.ts';
import { idAt, insertHistory, makeHistory } from '../../support/history.ts';
import type { History } from '../../support/history.ts';
import { insertAll } from '../../support/insert.ts';
import { makeEndpoint } from '../../support/rows/endpoint.ts';
import { makeEventAbout } from '../../support/rows/event.ts';
import { makeAttempt, makePayment } from '../../support/rows/payment.ts';
import { openGround } from '../harness.ts';

const ground = await openGround('dashboard-overview');
const { mongo, temporal, tenant } = ground;
const api = closeAfterTests(await serveApi({ secret: ground.apiKey }, { mongo, temporal }));
const other = tenantOf(await ground.addMerchant(), 'test');
const owner = await ground.signIn('owner');
const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(async () => {
  for (const name of ['payments', 'refunds', 'events', 'endpoints'] as const) {
    await mongo[name].deleteMany({});
  }
  for (const name of ['dayStats', 'statsState'] as const) await mongo[name].deleteMany({});
});

const todayMs = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** Returns the two values of a figure, today's and the month's. */
function cellsOf(html: string, id: string): string[] {
  const [, figure = ''] = new RegExp(`<div id="${id}">(.*?)</div>`, 's').exec(html) ?? [];
  return [...figure.matchAll(/<(?:strong|b)>(.*?)</gs)].map(([, text = '']) => text);
}

interface ListedObject {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  /** Of an event. */
  readonly data: { readonly object: ListedObject };
}

/** Returns all objects of a list of the API that were created from a time on. */
async function listAll(client: RunningApi, list: string, fromMs: number) {
  const from = encodeURIComponent(new Date(fromMs).toISOString());
  const all: ListedObject[] = [];
  for (let after = ''; ;) {
    const cursor = after && `&starting_after=${after}`;
    const path = `/v1/${list}${list.includes('?') ? '&' : '?'}created_at[gte]=${from}`;
    const { json } = await client.send('GET', `${path}&limit=100${cursor}`);
    all.push(...json.data);
    if (!json.has_more) return all;
    after = json.data.at(-1).id;
  }
}

/** Returns the amounts of objects as the page shows them, by currency. */
function amounts(objects: readonly Pick<ListedObject, 'amount' | 'currency'>[]): string[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of objects) {
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  return [...sums].map(([currency, sum]) => localAmount(sum, currency, 'en')).toSorted();
}

const linesOf = (text: string): string[] => (text === '0' ? [] : text.split('\n').toSorted());

/** Expects the figures of a column to agree with the lists of the API. */
async function expectAgreement(html: string, column: 0 | 1, history: History): Promise<void> {
  const fromMs = column === 0 ? todayMs() : todayMs() - 29 * DAY_MS;
  const of = (id: string): string => cellsOf(html, `overview.${id}`)[column]!;
  const payments = await listAll(api, 'payments', fromMs);
  const events = async (type: string) =>
    (await listAll(api, `events?type=${type}`, fromMs)).map(({ data }) => data.object);
  const completed = await events('payment.completed');
  const refunded = await events('refund.completed');
  const converted = payments.filter(({ status }) => status === 'completed').length;
  const share = { style: 'percent', maximumFractionDigits: 1 } as const;
  const conversion = new Intl.NumberFormat('en', share).format(converted / payments.length);
  expect({
    created: of('created'),
    conversion: of('conversion'),
    completed: linesOf(of('completed')),
    completedCount: of('completed_count'),
    refunded: linesOf(of('refunded')),
    refundedCount: of('refunded_count'),
    refundsFailed: of('refunds_failed'),
    declined: of('declined'),
  }).toEqual({
    created: String(payments.length),
    conversion: payments.length === 0 ? 'none' : conversion,
    completed: amounts(completed),
    completedCount: String(completed.length),
    refunded: amounts(refunded),
    refundedCount: String(refunded.length),
    refundsFailed: String((await events('refund.failed')).length),
    declined: String(declinesIn(history, fromMs)),
  });
}

/** Returns the number of declines in our own events: the API's events do not tell some apart. */
function declinesIn({ events }: History, fromMs: number): number {
  const from = idAt('event', fromMs).slice(0, -16);
  const ours = events.filter(({ m, _id }) => m === tenant && _id >= from);
  return ours.flatMap(tallyEvent).filter(({ name }) => name.startsWith('declined')).length;
}

const url = (name: string): string => `https://${name}.example/hooks`;
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

/** Returns the event of a decline. */
function decline(failure_code: FailureCode): Event {
  const attempts = [makeAttempt({ status: 'declined', failure_code })];
  return makeEventAbout(makePayment({ m: tenant, attempts }), 'payment.attempt_failed');
}

describe('GET /', () => {
  it.each([1, 2, 3])('agrees with the lists of the API after any history (%i)', async () => {
    const toMs = Date.now();
    const history = makeHistory([tenant, other], { fromMs: toMs - 32 * DAY_MS, toMs, count: 150 });
    await insertHistory(mongo, history);
    const recent = makeHistory([tenant, other], { fromMs: toMs - SETTLED_MS, toMs, count: 30 });
    await makeCounter({ mongo })();
    await insertHistory(mongo, recent);
    const all = { ...history, events: [...history.events, ...recent.events] };
    const { status, html } = await owner.get('/');
    expect(status).toBe(200);
    await expectAgreement(html, 0, all);
    await expectAgreement(html, 1, all);
    expect(html).not.toContain('Still being counted');
    expect(Buffer.byteLength(html)).toBeLessThan(50 * 1024);
  });

  it('shows the bars of each day, with their numbers in a table', async () => {
    const nowMs = Date.now();
    const payments = [0, 0, 29, 30].map((back) =>
      makePayment({ _id: idAt('payment', nowMs - back * DAY_MS), m: tenant }),
    );
    await insertAll(mongo.payments, payments);
    const { html } = await owner.get('/');
    // The bar of 29 days ago is half as high as today's, and that of 30 days ago is not shown.
    expect(html).toContain('d="M1 100v-50h8v50zM291 100v-100h8v100z"');
    const cells = [...html.matchAll(/<td class="number">(\d+)<\/td>/g)].map(([, text]) => text);
    expect(cells.slice(-60)).toHaveLength(60);
    expect(html.match(/<th scope="row">\w+ \d+<\/th>/g)).toHaveLength(30);
  });

  it('reports the time up to which a backlog is counted', async () => {
    const ids = Array.from({ length: LIVE_ROWS + 1 }, (_, nth) =>
      idAt('payment', Date.now() - DAY_MS + nth),
    );
    await insertAll(
      mongo.payments,
      ids.map((_id) => makePayment({ _id, m: tenant })),
    );
    expect((await owner.get('/')).html).toContain('Still being counted');
    await makeCounter({ mongo })();
    expect((await owner.get('/')).html).not.toContain('Still being counted');
  });

  it('shows why the bank declined, the most frequent reason first', async () => {
    const codes = ['card_declined', 'insufficient_funds', 'insufficient_funds'] as const;
    expect((await owner.get('/')).html).toContain('No declines.');
    await insertAll(mongo.events, codes.map(decline));
    const { html } = await owner.get('/');
    const [, declines = ''] = /<section id="declines">(.*?)<\/section>/s.exec(html) ?? [];
    const rows = [...declines.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
    const cells = rows.map((row) => row.split('</t').map((cell) => cell.replaceAll(/.*>/g, '')));
    expect(cells.slice(1).map(([, ...numbers]) => numbers.slice(0, 2))).toEqual([
      ['2', '66.7%'],
      ['1', '33.3%'],
    ]);
    expect(rows[1]).toContain('Not enough money on the card <code>insufficient_funds</code>');
  });

  it('shows the state of every endpoint, without those of other merchants', async () => {
    const since = new Date('2026-11-20T10:00:00.000Z');
    await insertAll(mongo.endpoints, [
      makeEndpoint({ m: tenant, url: url('works') }),
      makeEndpoint({ m: tenant, url: url('failing'), failing_since: since }),
      makeEndpoint({ m: tenant, url: url('off'), status: 'disabled', disabled_reason: 'gone' }),
      makeEndpoint({ m: tenant, url: url('deleted'), status: 'deleted' }),
      makeEndpoint({ m: other, url: url('foreign') }),
    ]);
    const { html } = await owner.get('/');
    const [, health = ''] = /<section id="health">(.*?)<\/section>/s.exec(html) ?? [];
    const states = [...health.matchAll(/<code>(.*?)<\/code>.*?<td>(.*?)<\/td>/gs)];
    const shown = new Map(states.map(([, at = '', state = '']) => [at, textOf(state)]));
    expect(shown).toEqual(
      new Map([
        [url('failing'), 'Enabled, failing since Nov 20, 2026, 10:00 UTC'],
        [url('off'), 'Disabled: the receiver returned 410 Gone'],
        [url('works'), 'Enabled'],
      ]),
    );
  });

  it.each(ROLES)('shows endpoints only to those who may see them: %s', async (role) => {
    const { html } = await (await ground.signIn(role)).get('/');
    expect(html.includes('id="health"')).toBe(may(role, 'endpoints.read'));
  });

  it.each(['en', 'hy', 'ru'] as const)('is shown in every language: %s', async (locale) => {
    const toMs = Date.now();
    await insertHistory(
      mongo,
      makeHistory([tenant], { fromMs: toMs - 10 * DAY_MS, toMs, count: 40 }),
    );
    await owner.post('/account/language', { locale });
    const { html } = await owner.get('/');
    await owner.post('/account/language', { locale: 'en' });
    expect(html).toContain(`<html lang="${locale}"`);
    expect(html.replaceAll(/id="[^"]+"/g, '')).not.toMatch(/overview\.\w+/);
  });
});
