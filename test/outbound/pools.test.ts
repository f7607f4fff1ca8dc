import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const TIMEOUT_MS = 30_000;
/** More requests than one endpoint may have at once. Several endpoints may share a host. */
const HANGING = 60;

let outbound: Outbound;
let host: Receiver;

beforeEach(async () => {
  outbound = makeOutbound({ opened: parseRanges(['127.0.0.1/32']), timeoutMs: TIMEOUT_MS });
  host = await openReceiver();
});
afterEach(async () => {
  await outbound.close();
  await host.close();
});

const post = async (path: string) =>
  outbound.post({
    url: host.url + path,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });

describe('endpoints that share a host', () => {
  it('do not wait for each other', async () => {
    host.respond = (_, { path }) => (path.endsWith('/slow') ? 'silence' : { status: 200 });
    const hanging = Array.from({ length: HANGING }, async () => post('/slow'));
    await until(
      () => host.requests.length,
      (count) => count === HANGING,
    );
    expect(await post('/quick')).toMatchObject({ status: 200 });
    await outbound.close();
    for (const { status } of await Promise.all(hanging)) expect(status).toBeNull();
  });
});
