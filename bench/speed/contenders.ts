/** Tollgate and the bare program, as the benchmark drives them. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { PublicPayment } from '../../domain/wire.ts';
import { mintId } from '../../store/mint.ts';
import type { Deployment } from '../../test/support/servers/deployment.ts';
import type { Merchant } from '../../test/support/merchant.ts';
import { exchange } from './lanes.ts';
import type { Response } from './lanes.ts';
import type { Place } from './place.ts';
import type { Receiver } from './receiver.ts';

/** One payment, with what the customer needs to pay it. */
export interface Made {
  readonly id: string;
  readonly checkoutUrl: string;
  readonly endpoints: number;
}

export interface Contender {
  readonly name: string;
  /** Creates a payment of the merchant with so many endpoints. */
  create(endpoints: number): Promise<Made>;
  retrieve(made: Made): Promise<void>;
  /** Pays as a customer does, and waits for the webhook. */
  pay(made: Made): Promise<void>;
  /** Has the payment approved by one call, and waits for the webhooks. */
  approve(made: Made): Promise<void>;
}

const ORDER = {
  amount: 12_500,
  currency: 'AMD',
  order_id: 'order-1001',
  description: 'Two tickets',
  return_url: 'https://shop.example/return',
};
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CARD = 'card_number=4242424242424242&expiry=12%2F34&cvc=123';

function requireStatus(status: number, response: Response): Response {
  if (response.status === status) return response;
  throw new Error(`${response.status} instead of ${status}: ${response.text.slice(0, 200)}`);
}

/** Returns Tollgate with merchants by the number of their endpoints, which are the receiver. */
export function tollgate(
  { apiUrl, env }: Deployment,
  merchants: ReadonlyMap<number, Merchant>,
  receiver: Receiver,
): Contender {
  const keyOf = (endpoints: number) => ({
    Authorization: `Bearer ${merchants.get(endpoints)?.apiKey ?? ''}`,
  });
  const json = { 'Content-Type': 'application/json' };
  const checkout = env['CHECKOUT_URL'] ?? '';
  const submit = async (url: string, body: string): Promise<string> => {
    const headers = { ...FORM, Origin: checkout };
    const reply = requireStatus(303, await exchange(url, { headers, body }));
    return new URL(reply.headers.location ?? '', url).href;
  };
  return {
    name: 'Tollgate',
    async create(endpoints) {
      const headers = { ...keyOf(endpoints), ...json, 'Idempotency-Key': mintId('request') };
      const body = JSON.stringify(ORDER);
      const reply = requireStatus(201, await exchange(`${apiUrl}/v1/payments`, { headers, body }));
      const { id, checkout_url: checkoutUrl } = JSON.parse(reply.text) as PublicPayment;
      return { id, checkoutUrl, endpoints };
    },
    async retrieve({ id, endpoints }) {
      const headers = keyOf(endpoints);
      requireStatus(200, await exchange(`${apiUrl}/v1/payments/${id}`, { headers }));
    },
    async pay({ id, checkoutUrl, endpoints }) {
      const arrived = receiver.arrival(id, endpoints);
      const bank = await submit(`${checkoutUrl}/pay`, CARD);
      await submit(bank, 'outcome=approve');
      await arrived;
    },
    async approve({ id, endpoints }) {
      const arrived = receiver.arrival(id, endpoints);
      const url = `${apiUrl}/v1/test/payments/${id}/outcome`;
      const headers = { ...keyOf(endpoints), ...json };
      requireStatus(200, await exchange(url, { headers, body: '{"outcome":"approve"}' }));
      await arrived;
    },
  };
}

/** Starts the bare program. `close` ends its processes. */
export async function startFloor(place: Place, receiver: Receiver) {
  const start = async (file: string): Promise<readonly [ChildProcess, unknown]> => {
    const child = fork(path.join(import.meta.dirname, file), [JSON.stringify(place)]);
    const [message] = (await once(child, 'message')) as [unknown];
    return [child, message];
  };
  const [worker] = await start('floor-worker.ts');
  const [server, port] = await start('floor-server.ts');
  const url = `http://127.0.0.1:${String(port)}`;
  const complete = async ({ id, endpoints: receivers }: Made): Promise<void> => {
    const arrived = receiver.arrival(id, receivers);
    const body = JSON.stringify({ receivers });
    requireStatus(200, await exchange(`${url}/${id}/wake`, { body }));
    await arrived;
  };
  const contender: Contender = {
    name: 'the floor',
    async create(endpoints) {
      const id = mintId('payment');
      requireStatus(201, await exchange(`${url}/${id}`, { body: JSON.stringify(ORDER) }));
      return { id, checkoutUrl: '', endpoints };
    },
    async retrieve({ id }) {
      requireStatus(200, await exchange(`${url}/${id}`));
    },
    pay: complete,
    approve: complete,
  };
  return {
    contender,
    pids: { Server: server.pid ?? 0, Worker: worker.pid ?? 0 },
    close: () => {
      for (const child of [worker, server]) child.kill('SIGKILL');
    },
  };
}
