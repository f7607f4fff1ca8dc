import { afterEach, describe, expect, it, vi } from 'vitest';
import { tenantOf } from '../../../domain/merchant.ts';
import { webhooks } from '../../../sdk/index.ts';
import { FORGERIES } from '../../check/takes.ts';
import { closeAfterTests } from '../../support/close.ts';
import { freePort } from '../../support/port.ts';
import { openReceiver } from '../../support/receiver.ts';
import type { Behaviour, Received } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { openHooks, valueOf } from './ground.ts';

const ground = await openHooks('dashboard-check');
const { mongo } = ground;
const browser = await ground.signIn('developer');
const receiver = closeAfterTests(await openReceiver());

const DEAD = `http://127.0.0.1:${await freePort()}/`;
/** The checks of a merchant in an hour. */
const CHECKS_AN_HOUR = 20;

afterEach(() => vi.restoreAllMocks());

/** Returns 200 if the request is signed, and not older than `toleranceSeconds`. */
function verified({ raw, headers }: Received, secret: string, toleranceSeconds = 300): boolean {
  try {
    webhooks.verify(raw, headers, secret, { toleranceSeconds });
    return true;
  } catch {
    return false;
  }
}

type Respond = (request: Received, secret: string, number: number) => Behaviour;
const right: Respond = (request, secret) => ({ status: verified(request, secret) ? 200 : 401 });

/** Checks an endpoint whose receiver responds so. Returns the report as HTML, and the requests. */
async function checked(respond: Respond, url = receiver.url) {
  const { _id, shown } = await ground.endpoint({ url });
  const before = receiver.requests.length;
  receiver.respond = (number, request) => respond(request, shown, number - before);
  const path = `/webhooks/${_id}/check`;
  const { status, to } = await browser.post(path);
  expect([status, to]).toEqual([303, `${path}#report`]);
  const { html } = await browser.get(path);
  return { path, html, shown, requests: receiver.requests.slice(before) };
}

const cookieOf = ({ cookies }: typeof browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Returns the rules that the report lists under a heading. */
function rulesUnder(html: string, heading: string): string[] {
  const part = html.split(`<h3>${heading}</h3>`)[1]?.split('<h3>')[0] ?? '';
  return [...part.matchAll(/data-check="(\w+)"/g)].map(([, check = '']) => check);
}

describe('POST /webhooks/:id/check', () => {
  it('leads to the report, and opening it again sends nothing more', async () => {
    const { path, html, shown, requests } = await checked(right);
    expect(html).toContain('All 19 checks passed.');
    expect(rulesUnder(html, 'Passed')).toHaveLength(19);
    expect(html).not.toContain('To mend');
    expect(html).not.toContain(shown.slice(6));
    expect(requests).toHaveLength(31);
    const { length } = receiver.requests;
    await browser.get(path);
    expect(receiver.requests).toHaveLength(length);
  });

  it.each<[string, Respond, string[], RegExp]>([
    [
      'accepts forgeries',
      () => ({ status: 200 }),
      FORGERIES,
      /Anyone can send this.*Signed with another secret: HTTP 200, /,
    ],
    [
      'ignores timestamps',
      (request, secret) => ({ status: verified(request, secret, 1e9) ? 200 : 401 }),
      ['old', 'other_timestamp', 'future'],
      /a recorded request can be sent again.*Signed an hour ago: HTTP 200, /,
    ],
    [
      'refuses duplicates',
      (request, secret) => {
        const isNew = receiver.requests.filter(({ raw }) => raw.equals(request.raw)).length < 2;
        return { status: !verified(request, secret) ? 401 : isNew ? 200 : 409 };
      },
      ['twice'],
      /The same event once more: HTTP 409, /,
    ],
  ])('says what to mend in a receiver that %s', async (_, respond, broken, words) => {
    const { html } = await checked(respond);
    expect(rulesUnder(html, 'To mend')).toEqual(broken);
    expect(html.replaceAll('\n', ' ')).toMatch(words);
  });

  it.each<[string, string | undefined, Respond, RegExp, number]>([
    ['is dead', DEAD, right, /no connection/, 0],
    ['is at a private address', 'http://10.0.0.7/hooks', right, /the address is not allowed/, 0],
    [
      'redirects',
      undefined,
      () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } }),
      /redirects are not followed.*: HTTP 307, /s,
      1,
    ],
    ['refuses everything', undefined, () => ({ status: 404 }), /The receiver refused it/, 1],
  ])('sends no forgeries to a receiver that %s', async (_, url, respond, words, sent) => {
    const { html, requests } = await checked(respond, url);
    expect(requests).toHaveLength(sent);
    expect(html).toContain('did not accept a genuine delivery');
    expect(rulesUnder(html, 'To mend')).toEqual(['genuine']);
    expect(rulesUnder(html, 'Could not be checked')).toHaveLength(17);
    expect(html).toMatch(words);
  });

  it('leaves open what a receiver that finds no example can have verified', async () => {
    const { html } = await checked((request, secret) => {
      if (!verified(request, secret)) return { status: 401 };
      return { status: request.raw.includes('of_the_future') ? 200 : 500 };
    });
    expect(html).toContain('some rules could not be checked');
    expect(rulesUnder(html, 'Could not be checked')).toContain('genuine');
    expect(rulesUnder(html, 'Passed')).toContain('wrong_secret');
  });

  it('stops sending after 35 s, and shows what a slow receiver had no time for', async () => {
    const clock = performance.now.bind(performance);
    let lateMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + lateMs);
    const { html, requests } = await checked((request, secret, number) => {
      lateMs += 12_000;
      return right(request, secret, number);
    });
    expect(requests).toHaveLength(3);
    expect(rulesUnder(html, 'Passed')).toEqual(['genuine']);
    expect(rulesUnder(html, 'Better to change')).toEqual(['time']);
    expect(rulesUnder(html, 'Could not be checked')).toHaveLength(17);
    expect(html).toContain('the time of the check was over');
  });

  it('stops when the browser goes away', async () => {
    const { _id, shown } = await ground.endpoint({ url: receiver.url });
    const before = receiver.requests.length;
    const leaving = new AbortController();
    receiver.respond = async (_, request) => {
      if (receiver.requests.length - before === 2) leaving.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return right(request, shown, 0);
    };
    const { html } = await browser.get('/account');
    const sent = fetch(`${ground.url}/webhooks/${_id}/check`, {
      method: 'POST',
      body: new URLSearchParams({ csrf: valueOf(html, 'csrf') }),
      headers: { Origin: ground.url, Cookie: cookieOf(browser) },
      signal: leaving.signal,
    });
    await expect(sent).rejects.toThrow('aborted');
    const row = await until(
      async () => mongo.checks.findOne({ _id }),
      (check) => check !== null && check.busy_until <= new Date(),
    );
    expect(row).not.toHaveProperty('report');
    expect(receiver.requests.length - before).toBeLessThan(31);
  });

  it('refuses a second check of the endpoint meanwhile, and shows that one is running', async () => {
    const { _id, shown } = await ground.endpoint({ url: receiver.url });
    const path = `/webhooks/${_id}/check`;
    let second: Promise<{ status: number; html: string }> | undefined;
    receiver.respond = async (number, request) => {
      second ??= browser.post(path);
      await second;
      return right(request, shown, number);
    };
    expect((await browser.post(path)).status).toBe(303);
    const { status, html } = await second!;
    expect(status).toBe(429);
    expect(html).toContain('This receiver is being checked already');
    expect(html).toContain('A check is running.');
  });

  it('goes to the URL of the endpoint only, whatever the form has', async () => {
    const other = closeAfterTests(await openReceiver());
    const { _id, shown } = await ground.endpoint({ url: receiver.url });
    receiver.respond = (number, request) => right(request, shown, number);
    await browser.post(`/webhooks/${_id}/check`, { url: other.url, secret: 'whsec_AAAA' });
    expect(other.requests).toEqual([]);
    expect((await browser.get(`/webhooks/${_id}/check`)).html).toContain('All 19 checks passed.');
  });

  it(`refuses more than ${CHECKS_AN_HOUR} checks of a merchant in an hour`, async () => {
    const merchant = await ground.addMerchant();
    const owner = await ground.signIn('owner', merchant);
    const m = tenantOf(merchant, 'test');
    const url = DEAD;
    const endpoints = [await ground.endpoint({ url, m }), await ground.endpoint({ url, m })];
    const statuses: number[] = [];
    for (let nth = 0; nth < CHECKS_AN_HOUR; nth += 1) {
      const { status } = await owner.post(`/webhooks/${endpoints[nth % 2]!._id}/check`);
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([303]));
    const { status, headers, html } = await owner.post(`/webhooks/${endpoints[0]!._id}/check`);
    expect([status, Number(headers.get('retry-after')) > 3_000]).toEqual([429, true]);
    expect(html).toContain('20 times an hour');
  });
});

describe('GET /webhooks/:id/check', () => {
  it('shows the report to support, without the button', async () => {
    const { path } = await checked(right);
    const { html } = await (await ground.signIn('support')).get(path);
    expect(html).toContain('All 19 checks passed.');
    expect(html).not.toContain('Start the check');
  });
});
