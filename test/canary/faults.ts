/** Failures during the day: refused calls, and our own errors. */
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CARDS, PRIVATE, TYPED } from './canaries.ts';
import type { Databases } from '../support/servers/databases.ts';
import type { Merchant } from '../support/merchant.ts';
import { tollgate } from '../support/servers/deployment.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';

/** A killed database is back within seconds, or later on a busy machine. */
const RECOVERY_LIMIT_MS = 60_000;

/** Sends calls that are refused, each with something that must not be stored. */
export async function beRefused({ apiUrl }: Deployment, merchant: Merchant): Promise<void> {
  const { apiKey } = merchant;
  const ask = async (address: string, headers: Record<string, string>, body?: string) =>
    fetch(apiUrl + address, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body ? { body } : {}),
    });
  const json = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const common = { amount: 500, currency: 'AMD', return_url: 'https://shop.example/' };
  const bodies = [
    { ...common, metadata: { note: CARDS[1] } },
    { ...common, description: CARDS[1].replaceAll(' ', '') },
    { ...common, card_number: CARDS[1], cvc: TYPED.cvc },
  ].map((body) => JSON.stringify(body));
  const answers = await Promise.all([
    ...bodies.map(async (body) => ask('/v1/payments', json, body)),
    ask('/v1/payments', json, `{"card": "${CARDS[1]}`),
    ask('/v1/payments', { Authorization: `Bearer ${apiKey.slice(0, -1)}` }),
    ask('/v1/payments', { Authorization: apiKey }),
    ask('/v1/payments', { Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }),
    ask(`/v1/payments?api_key=${apiKey}`, {}),
    ask(`/v1/payments?card=${CARDS[1]}`, json),
    ask(`/v1/payments/${apiKey}`, json),
    ask(`/v1/payments/${CARDS[1].replaceAll(' ', '')}`, json),
    ask(`/${CARDS[1]}`, json),
  ]);
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.filter((status) => status < 400 || status >= 500),
    [],
  );
}

/**
 * Causes errors of ours, which are logged in full: a secret that cannot be opened, and databases
 * that die in the middle of calls. Resolves when everything works again.
 */
export async function sufferFaults(
  deployment: Deployment,
  { merchant, databases }: { merchant: Merchant; databases: Databases },
): Promise<void> {
  const { mongo, env } = deployment;
  const [first, second] = await mongo.endpoints.find().sort({ _id: 1 }).toArray();
  // Sealed for another row, it cannot be opened for this one.
  await mongo.endpoints.updateOne({ _id: second!._id }, { $set: { secret: first!.secret } });
  const { id = '' } = await tollgate(env, ['endpoint', 'ping', '--id', second!._id]);
  const log = path.join(deployment.folder, 'worker.log');
  const isTold = async (): Promise<boolean> => (await readFile(log, 'utf8')).includes(id);
  await until(isTold, Boolean);

  const fields = {
    description: PRIVATE['a description'],
    metadata: { customer: PRIVATE['the e-mail address of a customer'] },
  };
  for (const which of ['mongo', 'temporal'] as const) {
    await databases.kill(which);
    const calls = [1, 2, 3].map(async (n) => merchant.create(`${which}-${n}`, fields));
    await Promise.allSettled(calls);
  }
  const create = async () => merchant.create('well-again').then(Boolean, () => false);
  await until(create, Boolean, RECOVERY_LIMIT_MS);
}
