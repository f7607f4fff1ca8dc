/** A merchant's developer, with payments that end at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { openStand } from '../api/harness.ts';
import type { Stand } from '../api/harness.ts';

export interface Developer extends Stand {
  /** Returns the environment of the command. */
  env(): Record<string, string>;
  /** Pays a new payment and returns its id. */
  pay(fields?: object): Promise<string>;
  /** The ids of all events, oldest first. */
  eventIds(): Promise<string[]>;
}

/** Opens an API like `openStand`, with refunds that end by themselves. */
export async function openDeveloper(file: string): Promise<Developer> {
  const stand = await openStand(file);
  const state = await mkdtemp(path.join(tmpdir(), 'tollgate-state-'));
  afterAll(async () => rm(state, { recursive: true }));
  const { api, temporal, tenant } = stand;
  temporal.startRefund = async ({ _id }) => {
    // After the response, as in the workflow.
    void sleep(50).then(async () => temporal.settleRefund(_id));
  };
  return {
    ...stand,
    env: () => ({
      TOLLGATE_API_URL: api.url,
      TOLLGATE_API_KEY: tenant.secret,
      XDG_STATE_HOME: path.join(state, file),
    }),
    async pay(fields = {}) {
      const common = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
      const { json } = await api.send('POST', '/v1/payments', { body: { ...common, ...fields } });
      const address = `/v1/test/payments/${json.id}/outcome`;
      await api.send('POST', address, { body: { outcome: 'approve' } });
      return json.id;
    },
    async eventIds() {
      const { json } = await api.send('GET', '/v1/events?limit=100');
      return (json.data as { id: string }[]).map(({ id }) => id).toReversed();
    },
  };
}
