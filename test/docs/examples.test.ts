import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClients } from '../../docs/clients.ts';
import { GUIDES } from '../../docs/guides.ts';
import { webhooks } from '../../sdk/index.ts';
import { PAYMENT, makeTenant, openStand, putPayment } from '../api/harness.ts';
import { BODY, OTHER, SECRET } from '../sdk/signed.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { LANGUAGES, hasRuntime, titleOf } from './driver.ts';
import { runExamples } from './examples.ts';

const stand = await openStand('examples');
const order = await putPayment(stand, { status: 'completed', order_id: 'order-1001' });
const { json: other } = await stand.api.send('POST', '/v1/payments', { body: PAYMENT });
await stand.api.send('POST', `/v1/payments/${other.id}/cancel`, { body: {} });
const { json: events } = await stand.api.send('GET', '/v1/events');

/** What the examples of each guide print, without the random parts of ids and addresses. */
const PRINTED = {
  quickstart: ['pay_ https://pay.example/c/', 'completed'],
  client: ['https://pay.example/c/', '404 resource_missing No such payment.'],
  confirm: ['ship order-1001'],
  webhooks: ['handled payment.completed', '200', '400'],
  reconcile: ['order-1001 completed', 'pay_ completed', '0'],
  idempotency: ['pay_'],
  refunds: ['ref_ pending'],
  lists: ['pay_ 12,500 AMD', 'evt_ refund.created'],
};

const textOf = (guide: string): string =>
  readFileSync(path.join(PROJECT, 'docs', 'guides', `${guide}.md`), 'utf8');

describe('the examples of the guides', () => {
  for (const language of LANGUAGES) {
    it.skipIf(!hasRuntime(language))(`do the same with ${titleOf(language)}`, async () => {
      const printed = await runExamples(language, {
        url: stand.api.url,
        key: stand.tenant.secret,
        // The quickstart pays its payment, which can be done once.
        ownKey: (await makeTenant(stand.mongo)).secret,
        order: { payment_id: order._id, amount: order.amount, currency: order.currency },
        lastEventId: events.data[0].id,
        secret: SECRET,
        body: BODY,
        deliveries: [SECRET, OTHER].map((secret) => webhooks.signTest({ body: BODY, secret })),
      });
      const random = /(?<=\b(?:pay|ref|evt)_)[0-9A-Z]{26}\b|(?<=\/c\/)[\w-]+/g;
      expect(JSON.parse(JSON.stringify(printed).replaceAll(random, ''))).toEqual(PRINTED);
    });
  }

  it('have one effect in all languages, by their idempotency keys', async () => {
    const { json: payments } = await stand.api.send('GET', '/v1/payments');
    expect(payments.data.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([
      12_500, 12_500, 990,
    ]);
    const { json: refunds } = await stand.api.send('GET', '/v1/refunds');
    expect(refunds.data).toHaveLength(1);
  });

  it.each(GUIDES)('stand side by side in all languages: %s', (guide) => {
    const fences = [...textOf(guide).matchAll(/^```(ts|python|php)\n[^]*?^```\n(?=(\n```)?)/gm)];
    const row = fences.map(([, language, next]) => `${language}${next === undefined ? '.' : ' '}`);
    expect(row.join('')).toMatch(/^(?:ts python php\.)*$/);
  });

  it('download the clients that are served', () => {
    const commands = GUIDES.flatMap((guide) => textOf(guide).match(/^curl -O .+$/gm) ?? []);
    const served = Object.keys(readClients()).map((address) => {
      return `curl -O http://localhost:8080${address}`;
    });
    expect(commands.toSorted()).toEqual(served.toSorted());
  });
});
