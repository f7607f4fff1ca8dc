import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../../domain/merchant.ts';
import { makeReplay } from '../../support/rows/replay.ts';
import { openHooks } from './ground.ts';

const ground = await openHooks('dashboard-foreign');
const { mongo, merchant } = ground;
const browser = await ground.signIn('owner');

const PAGES = [
  '/webhooks/ENDPOINT',
  '/webhooks/ENDPOINT/deliveries',
  '/webhooks/ENDPOINT/replays',
  '/webhooks/ENDPOINT/check',
  '/deliveries/DELIVERY',
  '/replays/REPLAY',
  '/webhooks/explain?delivery=DELIVERY',
];
const FORMS = [
  '/webhooks/ENDPOINT',
  '/webhooks/ENDPOINT/enable',
  '/webhooks/ENDPOINT/disable',
  '/webhooks/ENDPOINT/test',
  '/webhooks/ENDPOINT/check',
  '/webhooks/ENDPOINT/secret',
  '/webhooks/ENDPOINT/delete',
  '/webhooks/ENDPOINT/replays',
  '/deliveries/DELIVERY/resend',
  '/replays/REPLAY/stop',
  '/webhooks/explain',
];

/** Valid fields for every form: only the id can be the reason of a refusal. */
const FIELDS = {
  url: 'https://evil.example/',
  events: ['*'],
  type: 'webhook_endpoint.ping',
  overlap: '0',
  sure: 'yes',
  kind: 'deliveries',
  state: ['failed'],
  resends: '0',
};

async function rowsOf(m: string) {
  const endpoint = await ground.endpoint({ m });
  const delivery = await ground.delivery(endpoint, { state: 'failed' });
  const replay = makeReplay({ m, endpoint_id: endpoint._id });
  await mongo.replays.insertOne(replay);
  return { ENDPOINT: endpoint._id, DELIVERY: delivery._id, REPLAY: replay._id };
}

/** Returns everything that a form could have changed. */
async function snapshot(m: string) {
  const [endpoints, deliveries, events, replays, checks] = await Promise.all([
    mongo.endpoints.find({ m }).toArray(),
    mongo.deliveries.find({ m }).toArray(),
    mongo.events.find({ m }).toArray(),
    mongo.replays.find({ m }).toArray(),
    mongo.checks.find({ m }).toArray(),
  ]);
  return { endpoints, deliveries, events, replays, checks };
}

const OTHERS = [
  ['of another merchant', async () => ground.otherTenant()],
  ["of the merchant's live mode", async () => tenantOf(merchant._id, 'live')],
] as const;

describe.each(OTHERS)('an id %s', (_, tenantFor) => {
  it('is not found on any page, and changes nothing by any form', async () => {
    const m = await tenantFor();
    const ids = await rowsOf(m);
    const fill = (path: string): string =>
      path.replace(/[A-Z]{2,}/, (name) => ids[name as keyof typeof ids]);
    const before = await snapshot(m);
    for (const path of PAGES) {
      expect([path, (await browser.get(fill(path))).status]).toEqual([path, 404]);
    }
    for (const path of FORMS) {
      const fields = path === '/webhooks/explain' ? { delivery: ids.DELIVERY } : {};
      const { status, html } = await browser.post(fill(path), { ...FIELDS, ...fields });
      expect([path, status]).toEqual([path, 404]);
      expect(html).not.toContain(ids.ENDPOINT);
    }
    expect(await snapshot(m)).toEqual(before);
  });
});

describe('a user without the permission', () => {
  it.each([
    ['read_only', [...PAGES, '/webhooks', '/webhooks/explain'], FORMS],
    ['support', [], FORMS.filter((path) => /ENDPOINT(?!\/replays)/.test(path))],
  ] as const)('of the role %s sees no page and changes nothing', async (role, pages, forms) => {
    const ids = await rowsOf(ground.tenant);
    const fill = (path: string): string =>
      path.replace(/[A-Z]{2,}/, (name) => ids[name as keyof typeof ids]);
    const before = await snapshot(ground.tenant);
    const user = await ground.signIn(role);
    for (const path of pages) {
      expect([path, (await user.get(fill(path))).status]).toEqual([path, 403]);
    }
    for (const path of forms) {
      expect([path, (await user.post(fill(path), FIELDS)).status]).toEqual([path, 403]);
    }
    expect(await snapshot(ground.tenant)).toEqual(before);
  });
});

describe('a malformed id', () => {
  it.each(['we_1', 'dlv_%00', '$ne', '{}', '%F0%9F%98%80', 'a'.repeat(500)])(
    'such as %s is not found',
    async (id) => {
      for (const path of [...PAGES, ...FORMS]) {
        const isForm = !PAGES.includes(path);
        const at = path.replace(/[A-Z]{2,}/, id);
        if (path === '/webhooks/explain') continue;
        const { status } = isForm ? await browser.post(at, FIELDS) : await browser.get(at);
        expect([at, status]).toEqual([at, 404]);
      }
    },
  );
});
