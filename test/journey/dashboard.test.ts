/** The first day of a merchant in a real browser: from the link to a file for the accountant. */
import { expect, describe, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { localAmount } from '../../domain/money.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { readDatabases, readFiles } from '../canary/places.ts';
import { makeSearch } from '../canary/search.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeMerchant } from '../support/merchant.ts';
import { openReceiver } from '../support/receiver.ts';
import { untilAccepted } from '../support/retry.ts';
import { openDeployment, tollgate } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { PAYMENT_CELLS, REFUND_CELLS, cellsOf } from './cells.ts';
import { openCustomer } from './customer.ts';
import { openStaff } from './staff.ts';

const PASSWORD = 'a teapot for two persons';
const [PAID, LATER, HALF] = [12_500, 7_300, 6_250];
const PAID_BADGE = '#main :is(.status-completed, .badge-completed)';
/** The merchant's colour, as it is chosen and as a browser shows it. */
const [COLOUR, RGB] = ['#0a5c36', 'rgb(10, 92, 54)'];
const FAULT = 'orders-db refused the connection';

const receiver = closeAfterTests(await openReceiver());
const settings = { LOG_LEVEL: 'debug', WEBHOOK_SCHEDULE: '0,1' };
const deployment = closeAfterTests(
  await openDeployment({ file: 'journey-dashboard', env: settings }),
);
const { env, apiUrl } = deployment;
const [browser] = await Promise.all([openBrowser().then(closeAfterTests), deployment.start()]);
const { link = '' } = await tollgate(env, ['merchant', 'invite']);
const staff = await openStaff(browser, new URL(link).origin);
const { page } = staff;

/** The merchant's server. It has the key that the dashboard has shown. */
let shop: ReturnType<typeof makeMerchant>;
let secret = '';
let endpoint = '';
let [paid, later]: PublicPayment[] = [];

type Listed = Pick<PublicPayment, 'id' | 'status' | 'amount'>;

/** Returns a list of the API. */
async function list(path: string): Promise<Listed[]> {
  const { status, body } = await untilAccepted(async () => shop.call('GET', `/v1/${path}`));
  expect(status).toBe(200);
  return (body as { data: Listed[] }).data;
}

const money = (amount: number): string => localAmount(amount, 'AMD', 'en');

const sumOf = (all: readonly Listed[]): string =>
  money(all.reduce((total, { amount }) => total + amount, 0));

/** Opens the newest delivery of the endpoint. */
async function openNewestDelivery(): Promise<void> {
  await staff.open(`/webhooks/${endpoint}/deliveries`);
  await page.click('#main tbody a');
  await page.waitForURL('**/deliveries/dlv_*');
}

describe('a new merchant', () => {
  it('signs up by the link, which works once', async () => {
    await page.goto(link);
    const fields = { name: 'Tea house', email: 'ani@tea.example', password: PASSWORD };
    await staff.submit(fields, '.main-button');
    await page.waitForURL((url) => url.pathname === '/');
    expect(await staff.read('.side .brand')).toBe('Tea house');
    expect(await staff.figures()).toEqual(['0', '0', '0', '0', '0']);
    expect(await page.locator('#first-steps .badge').count()).toBe(0);
    expect((await fetch(link)).status).toBe(404);
  });

  it('creates a key, which the API accepts and no later page shows', async () => {
    await page.click('#first-steps a');
    await staff.submit({ name: 'Shop server' }, '.main-button');
    const apiKey = await staff.read('#fresh-key code');
    expect(apiKey).toMatch(/^sk_test_\w{38}$/);
    shop = makeMerchant({ id: '', apiUrl, apiKey, secret: '' });
    expect(await list('payments')).toEqual([]);
    await staff.open('/keys');
    expect(await staff.read('tbody tr')).toContain(apiKey.slice(-4));
    expect(await page.content()).not.toContain(apiKey);
  });

  it('registers a receiver, which accepts a signed test event', async () => {
    await staff.open('/webhooks');
    await staff.submit({ url: receiver.url }, '.main-button');
    secret = await staff.read('#fresh-secret code');
    await staff.submit({}, 'form[action$="/test"] button');
    await staff.see('#test-result', 'HTTP 200');
    const { raw, headers } = receiver.requests[0]!;
    new Webhook(secret).verify(raw.toString(), headers as Record<string, string>);
    const [listed] = await list('webhook-endpoints');
    endpoint = listed!.id;
    expect(new URL(page.url()).pathname).toBe(`/webhooks/${endpoint}`);
    await staff.open('/');
    expect(await page.locator('#first-steps .badge').count()).toBe(2);
  });

  it('creates a payment with the key, and watches how it is paid in the shop’s colour', async () => {
    await staff.open('/settings');
    await staff.submit({ colour: COLOUR }, 'form[action$="/settings"] .main-button');
    paid = await shop.create('order-1042', { amount: PAID, description: 'Tea for two' });
    await staff.open('/payments');
    expect(await staff.read('tbody tr')).toContain(money(PAID));
    await page.click('#main tbody a');
    await staff.see('#live', 'Waiting for the customer');
    const customer = await openCustomer(browser, 'https://shop.example');
    await customer.page.goto(paid.checkout_url);
    const ground = await customer.page.$eval('#pay', (pay) => getComputedStyle(pay).background);
    expect(ground).toContain(RGB);
    await customer.enterCard();
    await customer.choose('approve');
    await customer.seeEnd('completed');
    await staff.see(PAID_BADGE, 'Paid');
    paid = await shop.retrieve(paid.id);
    expect(paid).toMatchObject({ status: 'completed', amount: PAID });
    await staff.seeTimes([paid.created_at, paid.completed_at]);
    await customer.leave();
  });

  it('sees the delivery of the event that the API lists', async () => {
    const [event] = await shop.events(paid!.id);
    await openNewestDelivery();
    await staff.see('#live', 'Accepted');
    expect(await staff.read('#live')).toContain(event!.id);
    const { raw, headers } = receiver.requests.at(-1)!;
    expect(JSON.parse(await staff.read('#body'))).toEqual(JSON.parse(raw.toString()));
    expect(headers['webhook-id']).toBe(event!.id);
  });

  it('breaks the receiver, and sees each attempt with its reason', async () => {
    receiver.respond = () => ({ status: 500, body: FAULT });
    const before = receiver.requests.length;
    later = await shop.create('order-1043', { amount: LATER });
    await shop.outcome(later.id, 'approve');
    await until(
      () => receiver.requests.length,
      (count) => count > before,
    );
    await openNewestDelivery();
    await staff.see('#live .badge', 'Failed');
    const attempts = await page.locator('#live tbody tr').allInnerTexts();
    expect(attempts.map((text) => text.includes('HTTP 500'))).toEqual([true, true]);
    expect(
      receiver.requests.slice(before).map(({ headers }) => headers['service-attempt']),
    ).toEqual(['1', '2']);
    expect(await staff.read('#attempt')).toContain(FAULT);
    await staff.open('/');
    await page.click('#trouble a');
    await staff.see('#main tbody tr', 'HTTP 500');
  });

  it('mends the receiver, and sends the event again', async () => {
    receiver.respond = () => ({ status: 200 });
    await page.click('#main tbody a');
    await page.click('form[action$="/resend"] button');
    await staff.see('#live .badge', 'Accepted');
    const [first, last] = [receiver.requests.at(-2)!, receiver.requests.at(-1)!];
    expect(last.raw.equals(first.raw)).toBe(true);
    await staff.open('/');
    expect(await page.locator('#trouble').count()).toBe(0);
  });

  it('refunds half of the payment, which was found by its order', async () => {
    await staff.submit({ q: 'order-1042' }, '[role="search"] button');
    await page.click('#main tbody a');
    await page.click('#refund');
    await staff.submit({ amount: String(HALF) }, '.main-button');
    expect(await staff.read('#refund-after')).toBe(money(PAID - HALF));
    await staff.submit({}, '.main-button');
    await staff.see(PAID_BADGE, 'Partly refunded');
    expect(await shop.retrieve(paid!.id)).toMatchObject({ amount_refunded: HALF });
    const refunds = await list(`refunds?payment_id=${paid!.id}`);
    expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([[HALF, 'completed']]);
  });

  it('downloads files whose rows are the objects of the API', async () => {
    await staff.open('/exports');
    const download = async (name: string) => staff.download(`#export-${name} form .main-button`);
    expect(await download('payments')).toEqual(
      (await list('payments')).map((each) => expect.objectContaining(cellsOf(each, PAYMENT_CELLS))),
    );
    expect(await download('refunds')).toEqual(
      (await list(`refunds?payment_id=${paid!.id}`)).map((each) =>
        expect.objectContaining(cellsOf(each, REFUND_CELLS)),
      ),
    );
    const deliveries = await until(
      async () => download('deliveries'),
      (rows) => rows.every(({ state }) => state !== 'pending'),
    );
    const events = await list('events');
    const resent = (await shop.events(later!.id)).map(({ id }) => id);
    const ids = deliveries.map(({ event_id: id = '' }) => id).toSorted();
    expect(ids).toEqual([...events.map(({ id }) => id), ...resent].toSorted());
    const attempts = deliveries.map(({ attempts_count: count }) => Number(count));
    expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(receiver.requests.length);
  });

  it('reads the sums of the API on the overview', async () => {
    const completed = (await list('payments')).filter(({ status }) => status === 'completed');
    const refunded = await list(`refunds?payment_id=${paid!.id}`);
    expect(completed.map(({ id }) => id)).toEqual([later!.id, paid!.id]);
    const counts = [completed, refunded].map(({ length }) => String(length));
    expect(await staff.figures()).toEqual([
      counts[0],
      counts[0],
      sumOf(completed),
      counts[1],
      sumOf(refunded),
    ]);
  });

  it('revokes the key, which is refused at once', async () => {
    await staff.open('/keys');
    await page.click('#main tbody summary');
    await staff.submit({}, 'form[action$="/revoke"] button');
    await staff.see('.notice', 'The key is revoked.');
    expect((await shop.call('GET', '/v1/payments')).status).toBe(401);
  });

  it('finds no key, secret, password or link in pages, logs and the database', async () => {
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const search = makeSearch([
      { name: 'the key', text: shop.apiKey },
      { name: 'the secret', text: secret.replace('whsec_', ''), bytes },
      { name: 'the password', text: PASSWORD },
      { name: 'the link', text: link.split('/').at(-1)! },
    ]);
    const pages = await staff.crawl();
    const visited = [`/payments/${paid!.id}`, `/webhooks/${endpoint}`, '/keys', '/audit'];
    expect([...pages.keys()]).toEqual(expect.arrayContaining(visited));
    const places = [
      ...[...pages].map(([name, body]) => ({ name, bytes: body })),
      ...(await readFiles(deployment.folder, (name) => name.endsWith('.log'))),
      ...(await readDatabases(env['MONGODB_URI']!, deployment.mongo.keys.dbName)),
    ];
    const known = makeSearch([{ name: 'the payment', text: paid!.id, isWhole: true }]);
    const kinds = places.filter((place) => known(place.bytes).length > 0).map(({ name }) => name);
    expect(kinds.join('\n')).toMatch(/\/payments\/[^]*file server\.log[^]*collection/);
    expect(
      places.flatMap((place) => search(place.bytes).map((found) => [place.name, found])),
    ).toEqual([]);
    await staff.leave();
  });
});
