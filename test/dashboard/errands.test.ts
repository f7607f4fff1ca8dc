/** The shortest ways to what people come for: the first steps, a failing receiver, a month. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '../../domain/stats.ts';
import { idAt } from '../support/history.ts';
import { insertAll } from '../support/insert.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { download, rowsOf } from './exports/download.ts';
import { openGround } from './harness.ts';

const ground = await openGround('dashboard-errands');
const { mongo, tenant } = ground;
const owner = await ground.signIn('owner');
const url = (name: string): string => `https://${name}.example/hooks`;

beforeEach(async () => {
  await mongo.endpoints.deleteMany({});
  await mongo.payments.deleteMany({});
});

describe('the overview', () => {
  it('reports at the top which receivers fail, with a link to their deliveries', async () => {
    const off = { status: 'disabled', failing_since: new Date() } as const;
    const [failing, given, gone] = [
      makeEndpoint({ m: tenant, url: `${url('failing')}?token=t`, failing_since: new Date() }),
      makeEndpoint({ m: tenant, url: url('by-hand'), ...off, disabled_reason: 'merchant' }),
      makeEndpoint({ m: tenant, url: url('gone'), ...off, disabled_reason: 'gone' }),
    ];
    await insertAll(mongo.endpoints, [makeEndpoint({ m: tenant }), given]);
    expect((await owner.get('/')).html).not.toContain('id="trouble"');
    await insertAll(mongo.endpoints, [failing, gone]);
    const { html } = await owner.get('/');
    const [, trouble = ''] = /<div[^>]* id="trouble">(.*?)<\/div>/s.exec(html) ?? [];
    const links = [...trouble.matchAll(/href="([^"]+)"/g)].map(([, to = '']) => to);
    expect(links.toSorted()).toEqual(
      [failing, gone].map(({ _id }) => `/webhooks/${_id}/deliveries`).toSorted(),
    );
    expect(html).not.toContain('token=t');
  });

  it.each([
    ['owner', true],
    ['developer', true],
    ['support', false],
    ['read_only', false],
  ] as const)('shows the first steps to those who can take them: %s', async (role, isShown) => {
    const browser = await ground.signIn(role);
    const doneSteps = async () => {
      const [, steps] = /<section id="first-steps">(.*?)<\/section>/s.exec(
        (await browser.get('/')).html,
      ) ?? [undefined, undefined];
      return steps?.split('>Done<').length;
    };
    // The merchant has a key from the beginning.
    expect(await doneSteps()).toBe(isShown ? 2 : undefined);
    await mongo.endpoints.insertOne(makeEndpoint({ m: tenant }));
    expect(await doneSteps()).toBe(isShown ? 3 : undefined);
    await mongo.payments.insertOne(makePayment({ m: tenant }));
    expect(await doneSteps()).toBeUndefined();
  });
});

describe('the exports', () => {
  it('have links for the last month and for this one', async () => {
    const now = new Date();
    const first = (offset: number): number =>
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset);
    const times = [first(-1) - 1, first(-1), first(0) - 1, first(0)];
    const ids = times.map((ms) => idAt('payment', ms));
    await insertAll(
      mongo.payments,
      ids.map((_id) => makePayment({ _id, m: tenant })),
    );
    const { html } = await owner.get('/exports');
    const links = [...html.matchAll(/href="(\/exports\/payments\.csv[^"]*)"/g)];
    const files = await Promise.all(
      links.map(async ([, to = '']) => download(ground, owner, to.replaceAll('&amp;', '&'))),
    );
    const shown = files.map(({ lines }) => rowsOf(lines).map(({ id }) => id));
    expect(shown).toEqual([[ids[2], ids[1]], [ids[3]]]);
    expect(files[0]!.headers.get('content-disposition')).toContain(
      `"payments-${dayOf(first(-1))}-to-${dayOf(first(0) - 1)}.csv"`,
    );
  });

  it.each([
    [0, 0],
    [1, 2],
    [2, 0],
  ])('have links for deliveries only if there is one endpoint: %i', async (count, links) => {
    await insertAll(
      mongo.endpoints,
      Array.from({ length: count }, () => makeEndpoint({ m: tenant })),
    );
    const { html } = await owner.get('/exports');
    expect(html.split('href="/exports/deliveries.csv?').length - 1).toBe(links);
  });
});

describe('a form that shows a secret once', () => {
  it('is empty again after it, with a command that uses the new key', async () => {
    const { html } = await owner.post('/keys', { name: 'Till 7' });
    const [key = ''] = /sk_test_\w{38}/.exec(html) ?? [];
    expect(html.split(key)).toHaveLength(5);
    expect(html).toContain(`Authorization: Bearer ${key}`);
    expect(html).not.toMatch(/<input[^>]* value="Till 7"/);
    const invited = await owner.post('/team', { email: 'new@shop.example', role: 'support' });
    expect(invited.html).toContain('id="fresh-link"');
    expect(invited.html).not.toMatch(/<input[^>]* value="new@shop.example"/);
    expect((await owner.get('/keys')).html).not.toContain(key);
  });

  it('keeps what was typed if it is refused', async () => {
    const { status, html } = await owner.post('/keys', { name: 'x'.repeat(101) });
    expect(status).toBe(422);
    expect(html).toMatch(/<input[^>]* value="x{101}"/);
  });
});
