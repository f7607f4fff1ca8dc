/** Texts of merchants, customers and receivers that try to be a part of the page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../dashboard/routes.ts';
import { tagsOf } from '../../domain/call.ts';
import { mintId } from '../../store/mint.ts';
import { makeEntry } from '../support/audit.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { openGround } from './harness.ts';
import { fill, isForm, makeVisitor, send, stock } from './world.ts';

/** Ends attributes, elements and comments, and begins its own. */
const HOSTILE = `"'--></pre></title></textarea></script><img src=x onerror=alert(1)><a href="javascript:1">`;
const AS_MARKUP = /<img src=x|<a href="javascript:/;

const ground = await openGround('dashboard-markup');
const { mongo, merchant, tenant: m } = ground;
const ids = { ...(await stock(ground, merchant._id)), request: mintId('request') };
const owner = await makeVisitor(ground, { role: 'owner', merchantId: merchant._id });

beforeAll(async () => {
  const { payment, endpoint, event, delivery, key, passkey } = ids;
  await mongo.merchants.updateOne({ _id: merchant._id }, { $set: { name: HOSTILE } });
  const { _id: _, ...paid } = makePayment({
    merchant_id: merchant._id,
    order_id: HOSTILE,
    description: HOSTILE,
    metadata: { [HOSTILE]: HOSTILE },
    return_url: `javascript:${HOSTILE}`,
    cancel_url: `javascript:${HOSTILE}`,
    attempts: [makeAttempt({ card: { brand: HOSTILE, last4: HOSTILE } })],
  });
  await mongo.payments.updateOne({ _id: payment }, { $set: paid });
  const url = `https://evil.example/${encodeURI(HOSTILE)}`;
  const { _id: __, ...receiver } = makeEndpoint({ m, url, description: HOSTILE });
  await mongo.endpoints.updateOne({ _id: endpoint }, { $set: receiver });
  const body = JSON.stringify({ data: { object: { id: HOSTILE, reason: HOSTILE } } });
  const { _id: ___, ...happened } = makeEvent({ m, body, payment_id: payment });
  await mongo.events.updateOne({ _id: event }, { $set: happened });
  const headers = [[HOSTILE, HOSTILE]] as const;
  const sent = makeDelivery({ m, endpoint_id: endpoint, event_id: event });
  const attempt = {
    number: 1,
    at: new Date(),
    duration_ms: 5,
    status: 500,
    error: 'status',
    request: { url, headers },
    response: { headers, body: HOSTILE, truncated: false },
  } as unknown as (typeof sent)['attempts'][number];
  await mongo.deliveries.updateOne({ _id: delivery }, { $set: { attempts: [attempt] } });
  await mongo.keys.updateOne({ _id: key }, { $set: { name: HOSTILE } });
  await mongo.passkeys.updateOne(
    { _id: passkey },
    { $set: { name: HOSTILE, user_id: owner.user._id } },
  );
  await mongo.sessions.updateMany({}, { $set: { browser: HOSTILE } });
  await mongo.auditEntries.insertOne({
    ...makeEntry({ merchantId: merchant._id }),
    actor: { type: 'operator', name: HOSTILE },
    object: { kind: 'payment', id: HOSTILE },
    after: { [HOSTILE]: HOSTILE },
  });
  await mongo.users.updateOne({ _id: ids.user }, { $set: { email: HOSTILE } });
  await mongo.invites.updateMany({ merchant_id: merchant._id }, { $set: { email: HOSTILE } });
  const place = { method: HOSTILE, path: `/${HOSTILE}`, status: 400 };
  await mongo.calls.insertOne({
    _id: ids.request,
    m,
    at: new Date(),
    ...place,
    error: { code: HOSTILE, message: HOSTILE },
    key_id: HOSTILE,
    duration_ms: 1,
    body: JSON.stringify({ [HOSTILE]: HOSTILE }),
    is_cut: false,
    object_id: `pay_${HOSTILE}`,
    tags: tagsOf(place),
  });
});

/** Returns the address of a page with ids. */
const addressOf = (path: string): string =>
  path.startsWith('/developers/requests/')
    ? `/developers/requests/${ids.request}`
    : fill(path, ids);

const PAGES = ROUTES.filter(
  (route) => !isForm(route) && !/[.]csv$|^\/reset|check$|^\/settings\/logo/.test(route.path),
);
/** Pages that show nothing of anybody else's texts, not even the name of the merchant. */
const SILENT = new Set(['/sign-in', '/sign-in/code', '/developers', '/payments/refunds/:id']);

describe('every page', () => {
  it.each(PAGES.map(({ path }) => path))('shows hostile texts as texts: %s', async (path) => {
    const address = addressOf(path);
    const { status, html } = await send(ground, owner, { path: address });
    expect([path, [200, 303].includes(status)]).toEqual([path, true]);
    expect(html).not.toMatch(AS_MARKUP);
    expect([path, html.includes('&lt;img src=x')]).toEqual([path, !SILENT.has(path)]);
  });

  it.each(['/sign-in', '/payments', '/exports', '/developers/requests', '/webhooks/:id/replays'])(
    'shows parameters as texts, if at all: %s',
    async (path) => {
      const names = 'q status from to after done lang next id path kind since'.split(' ');
      for (const name of names) {
        const query = new URLSearchParams({ [name]: HOSTILE }).toString();
        const { html } = await send(ground, owner, { path: `${addressOf(path)}?${query}` });
        expect([name, AS_MARKUP.test(html)]).toEqual([name, false]);
      }
    },
  );

  it('shows what a refused form had as texts', async () => {
    const names =
      'name email url description headers body computed timestamp next colour amount key';
    const fields = names.split(' ').map((name) => [name, HOSTILE] as const);
    const form = { ...Object.fromEntries(fields), csrf: owner.csrf };
    const shown: string[] = [];
    for (const route of ROUTES.filter(isForm)) {
      // Its session would end.
      if (/sign-out|sign-in|sessions/.test(route.path)) continue;
      const { status, html } = await send(ground, owner, { path: fill(route.path, ids), form });
      expect([route.path, AS_MARKUP.test(html)]).toEqual([route.path, false]);
      if (status === 422 && html.includes('&lt;img src=x')) shown.push(route.path);
    }
    expect(shown.length).toBeGreaterThan(5);
  });
});
