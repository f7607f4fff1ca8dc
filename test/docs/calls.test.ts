/** The examples of the reference: those of the clients do what the curl commands say. */
import { describe, expect, it } from 'vitest';
import { requestFences } from '../../docs/calls.ts';
import { makeTenant, openStand, putPayment } from '../api/harness.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { LANGUAGES, hasRuntime, titleOf } from './driver.ts';
import { programOf, runExamples } from './examples.ts';
import type { Language } from './examples.ts';
import { makeReference } from './reference.ts';

const { operations, ...reference } = makeReference();
const stand = await openStand('calls');

/** The variables of the guides' examples, which these do not use. */
const UNUSED = {
  order: { payment_id: '', amount: 0, currency: '' },
  lastEventId: '',
  secret: '',
  body: '',
  deliveries: [],
};

/** Creates a merchant with an object for each operation that has an id in its path or body. */
async function openShop() {
  const { mongo } = stand;
  const tenant = await makeTenant(mongo);
  const put = async (status: 'created' | 'completed') =>
    (await putPayment({ mongo, tenant }, { status }))._id;
  const [open, paid] = [await put('created'), await put('completed')];
  const refund = makeRefund({ m: tenant.m, payment_id: paid });
  const endpoint = makeEndpoint({ m: tenant.m });
  const event = makeEvent({ m: tenant.m, payment_id: paid });
  await mongo.refunds.insertOne(refund);
  await mongo.endpoints.insertOne(endpoint);
  await mongo.events.insertOne(event);
  const ids = {
    retrievePayment: open,
    updatePayment: open,
    cancelPayment: open,
    decideOutcome: await put('created'),
    advancePayment: await put('created'),
    createRefund: paid,
    retrieveRefund: refund._id,
    retrieveEvent: event._id,
    retrieveWebhookEndpoint: endpoint._id,
  };
  const get = async (path: string) => (await stand.api.as(tenant).send('GET', path)).json;
  return { key: tenant.secret, ids, get };
}

/** Returns the examples of the operations, with the shop's ids. */
function programsFor(language: Language, ids: Readonly<Record<string, string>>) {
  const texts = operations.map((operation) => {
    const text = requestFences({ operations, ...reference }, operation);
    const id = ids[operation.id];
    return [operation.id, id ? text.replaceAll(/\b[a-z]{2,3}_[0-9A-Z]{26}\b/g, id) : text] as const;
  });
  const programs = texts.map(([name, text]) => [name, programOf(language, text)] as const);
  return Object.fromEntries(programs);
}

describe('the examples of the reference', () => {
  for (const language of LANGUAGES) {
    it.skipIf(!hasRuntime(language))(`do what curl does with ${titleOf(language)}`, async () => {
      const { key, ids, get } = await openShop();
      const setup = { ...UNUSED, url: stand.api.url, key, ownKey: key };
      const printed = await runExamples(language, setup, programsFor(language, ids));
      expect(Object.keys(printed)).toEqual(operations.map(({ id }) => id));
      expect(printed['listRefunds']).toContain(ids.retrieveRefund);
      expect(printed['listEvents']).toContain(ids.retrieveEvent);
      expect(printed['listWebhookEndpoints']).toEqual([ids.retrieveWebhookEndpoint]);
      expect(printed['listCurrencies']).toContain('AMD');
      const { data } = await get('/v1/payments?order_id=order-1001');
      expect(data).toMatchObject([{ amount: 12_500, metadata: { basket: 'b-77' } }]);
      expect(await get(`/v1/payments/${ids.cancelPayment}`)).toMatchObject({
        status: 'canceled',
        metadata: { customer: '4711' },
      });
      const statusOf = async (id: string) => (await get(`/v1/payments/${id}`)).status;
      expect(await statusOf(ids.decideOutcome)).toBe('completed');
      expect(await statusOf(ids.advancePayment)).toBe('expired');
      const refunds = await get(`/v1/refunds?payment_id=${ids.createRefund}`);
      expect(refunds.data[0]).toMatchObject({ amount: 2_500, reason: 'requested_by_customer' });
    });
  }
});
