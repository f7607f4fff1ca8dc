/** The queries of docs/operating.md, run as an operator does, on workflows of a real Temporal. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import { makeLog } from '../../log.ts';
import { mintId } from '../../store/mint.ts';
import { makeTemporal } from '../../temporal/client.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { privateName, testServers } from '../support/run.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { retryUnavailable } from '../support/retry.ts';
import { until } from '../support/until.ts';

const namespace = privateName('queries');
const connection = closeAfterTests(
  await Connection.connect({ address: testServers().temporalAddress }),
);
const client = new Client({ connection, namespace });
const log = makeLog('test', 'silent');
const temporal = makeTemporal({ connection, namespace, webhookTimeoutMs: 1_000, log });

const text = readFileSync(path.join(PROJECT, 'docs', 'operating.md'), 'utf8');
const QUERIES = [...text.matchAll(/^temporal (workflow|activity) list --query "(.+)"$/gm)].map(
  ([, kind = '', query = '']) => [kind, query] as const,
);

const merchantId = mintId('merchant');
const past = new Date(Date.now() - 10 * 60_000);
const soon = new Date(Date.now() + 30 * 60_000);
const payment = (order: string, overrides: Parameters<typeof makePayment>[0] = {}) =>
  makePayment({ merchant_id: merchantId, order_id: order, created_at: past, ...overrides });
const late = payment('order-1042', { expires_at: past });
const open = payment('order-1043', { expires_at: soon });
const large = makePayment({ amount: 1_000_000, order_id: 'order-1044', expires_at: soon });
const stopped = payment('order-1045', { expires_at: soon });
const m = tenantOf(merchantId, 'test');
const delivery = makeDelivery({ m, endpoint_id: 'we_1', event_id: 'evt_1' });
const others = makeDelivery({
  m: tenantOf(mintId('merchant'), 'test'),
  endpoint_id: 'we_2',
  event_id: 'evt_3',
});
const ended = makeDelivery({ m, endpoint_id: 'we_1', event_id: 'evt_2' });

/** The ids that each query finds, in the order of the document. */
const FOUND: readonly (readonly string[])[] = [
  [late._id],
  [late._id],
  [late._id],
  [late._id, open._id],
  [large._id],
  [stopped._id],
  [delivery._id, others._id],
  [delivery._id],
];

beforeAll(async () => {
  await retryUnavailable(async () => temporal.prepare());
  const all = [late, open, large, stopped];
  for (const each of all) await temporal.startPayment(each);
  for (const each of all) {
    await until(async () => isThere(each._id), Boolean);
  }
  await client.workflow.getHandle(stopped._id).terminate();
  for (const each of [delivery, others, ended]) {
    await retryUnavailable(async () => temporal.startDelivery(each._id, null, each));
  }
  await client.activity.getHandle(ended._id).terminate('For the test.');
});

const isThere = async (id: string) =>
  client.workflow
    .getHandle(id)
    .describe()
    .then(Boolean, () => false);

/** Returns the query with the values of this test. */
function filledIn(query: string): string {
  // A later time than that of the starts, so that the test need not wait for five minutes.
  const now = new Date(Date.now() + 60_000).toISOString();
  return query
    .replace('pay_...', late._id)
    .replace('mer_...', merchantId)
    .replace('2026-01-31T12:00:00Z', now);
}

async function find(kind: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  if (kind === 'workflow') {
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  } else {
    for await (const { activityId } of client.activity.list(query)) ids.push(activityId);
  }
  return ids.toSorted();
}

describe('the queries of docs/operating.md', () => {
  it('are those that this test knows', () => {
    expect(QUERIES.length).toBe(FOUND.length);
    expect(readFileSync(path.join(PROJECT, 'docs', 'runbook.md'), 'utf8')).toContain(
      QUERIES[2]![1],
    );
  });

  it.each(QUERIES.map(([kind, query], n) => [kind, query, FOUND[n] ?? []] as const))(
    'temporal %s list --query "%s" finds what it should',
    async (kind, query, wanted) => {
      // Temporal writes its index after the start.
      await until(
        async () => find(kind, filledIn(query)),
        (found) => JSON.stringify(found) === JSON.stringify(wanted.toSorted()),
        30_000,
      );
    },
  );
});
