import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TollgateUsageError } from '../../sdk/index.ts';
import { until } from '../support/until.ts';
import { errorOf, PAYMENT, refusal, Service } from './service.ts';
import type { Reply } from './service.ts';

let service: Service;
beforeEach(async () => {
  service = new Service();
  await service.start();
});
afterEach(() => service.stop());

/** Makes the service respond according to the id, such as `missing-1`. */
function respondById(): void {
  service.script = ({ path }): Reply => {
    const id = path.replace('/v1/payments/', '');
    const [kind = ''] = id.split('-');
    if (kind === 'missing') return { status: 404, body: refusal('resource_missing') };
    if (kind === 'broken') return { status: 500, body: refusal('internal_error') };
    return { body: { ...PAYMENT, id, status: kind } };
  };
}

/** Yields ids as a database driver yields rows. */
async function* cursor() {
  yield* ['created-1', 'created-2', 'created-1'];
}

const FINAL = ['completed', 'failed', 'canceled', 'expired'];

describe('payments.reconcile', () => {
  it('sorts payments by status, and continues after one that fails', async () => {
    respondById();
    const ids = ['broken-1', ...FINAL, 'missing-1', 'created-1', 'processing-1', 'completed-2', ''];
    const result = await service.client().payments.reconcile(ids);
    expect(result.settled.map(({ status }) => status).toSorted()).toEqual(
      [...FINAL, 'completed'].toSorted(),
    );
    expect(result.open.map(({ id }) => id).toSorted()).toEqual(['created-1', 'processing-1']);
    expect(result.missing).toEqual(['missing-1']);
    const failed = new Map(result.failed.map(({ id, error }) => [id, error]));
    expect(failed.get('broken-1')).toMatchObject({ status: 500 });
    expect(failed.get('')).toBeInstanceOf(TollgateUsageError);
    expect(failed.size).toBe(2);
  });

  it('retrieves each id once, from any iterable', async () => {
    respondById();
    const { payments } = service.client();
    await payments.reconcile(new Set(['completed-1', 'failed-1']));
    const result = await payments.reconcile(cursor());
    expect(result.open).toHaveLength(2);
    expect(service.seen).toHaveLength(4);
    expect(await payments.reconcile([])).toEqual({
      settled: [],
      open: [],
      missing: [],
      failed: [],
    });
  });

  it.each([
    [undefined, 5],
    [2, 2],
  ])('with the concurrency %s, retrieves %i at a time', async (concurrency, most) => {
    let now = 0;
    let peak = 0;
    const client = service.client({
      fetch: async (...args) => {
        now += 1;
        peak = Math.max(peak, now);
        const response = await fetch(...args);
        now -= 1;
        return response;
      },
    });
    respondById();
    const ids = Array.from({ length: 20 }, (_, n) => `completed-${n}`);
    const result = await client.payments.reconcile(ids, { concurrency });
    expect(result.settled).toHaveLength(20);
    expect(peak).toBe(most);
  });

  it('stops at once and throws the reason if its signal aborts', async () => {
    service.play('hang');
    const aborter = new AbortController();
    const { signal } = aborter;
    const ids = Array.from({ length: 20 }, (_, n) => `completed-${n}`);
    const call = errorOf(service.client().payments.reconcile(ids, { concurrency: 2, signal }));
    await until(
      () => service.seen.length,
      (count) => count === 2,
    );
    aborter.abort(new Error('closing'));
    expect(await call).toBe(signal.reason);
    expect(service.seen).toHaveLength(2);
    expect(await errorOf(service.client().payments.reconcile(ids, { signal }))).toBe(signal.reason);
    expect(service.seen).toHaveLength(2);
  });

  it('throws the error of the iterable after all calls have ended', async () => {
    respondById();
    const fault = new Error('the cursor broke');
    async function* broken() {
      yield 'completed-1';
      throw fault;
    }
    expect(await errorOf(service.client().payments.reconcile(broken()))).toBe(fault);
    expect(service.seen).toHaveLength(1);
  });

  it('refuses a single id, although a string is an iterable', async () => {
    const call = service.client().payments.reconcile('completed-1');
    expect(await errorOf(call)).toBeInstanceOf(TollgateUsageError);
    expect(service.seen).toHaveLength(0);
  });

  it.each([0, 1.5, 101, Number.NaN])('refuses the concurrency %s', async (concurrency) => {
    const call = service.client().payments.reconcile(['completed-1'], { concurrency });
    expect(await errorOf(call)).toBeInstanceOf(TollgateUsageError);
    expect(service.seen).toHaveLength(0);
  });
});
