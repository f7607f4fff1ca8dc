/** Collectors that are dead or silent, and workers that are killed. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { openCollector } from '../support/collector.ts';
import { payWithOutcome } from '../support/customer.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { PARENT_ID, makeTracing, named, newTraceId, placeOf, webhooksAbout } from './ground.ts';

/** Takes connections and never responds. */
const silent = createServer(() => undefined);
await new Promise<void>((resolve) => {
  silent.listen(0, '127.0.0.1', resolve);
});
silent.unref();
const { port } = silent.address() as AddressInfo;
const collector = closeAfterTests(await openCollector());
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'tracing-failures',
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '3000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_MAX_QUEUE_SIZE: '8',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
    },
  }),
);
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
const { create } = makeTracing(deployment, merchant);
const logOf = (name: string): string =>
  readFileSync(path.join(deployment.folder, `${name}.log`), 'utf8');

const begin = async () => {
  const traceId = newTraceId();
  return { traceId, payment: await create({ traceparent: `00-${traceId}-${PARENT_ID}-01` }) };
};

describe('a silent collector', () => {
  it('does not keep payments from ending, and lost spans are counted', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, begin));
    await Promise.all(all.map(async ({ payment }) => payWithOutcome(payment, 'approve')));
    for (const { traceId, payment } of all) {
      const [webhook] = await webhooksAbout(receiver, payment.id);
      expect(placeOf(webhook!).traceId).toBe(traceId);
    }
    for (const name of ['server', 'worker']) {
      await until(
        () => logOf(name),
        (log) => /"lost":[1-9]/.test(log),
      );
    }
    // The count of dropped spans is logged with the next span that finds room.
    await until(
      async () => {
        await begin();
        return logOf('server') + logOf('worker');
      },
      (log) => /Dropped \d+ spans because maxQueueSize reached/.test(log),
    );
  });

  it('does not hold up a process that stops', async () => {
    await begin();
    process.kill(deployment.server.pid(), 'SIGTERM');
    await until(
      () => logOf('server'),
      (log) => log.includes('the last spans may be lost'),
    );
    await until(
      () => isAlive(deployment.server.pid()),
      (alive) => !alive,
    );
    await deployment.server.start();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a worker that is killed', () => {
  it('leaves the payment in its trace', async () => {
    await Promise.all([deployment.server.kill(), deployment.worker.kill()]);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_MAX_QUEUE_SIZE: '2048' };
    const { apiUrl } = deployment;
    const server = deployment.program('server2', ['server.js'], { url: `${apiUrl}/readyz`, env });
    const url = `http://127.0.0.1:${deployment.env['WORKER_HEALTH_PORT']}`;
    const worker = deployment.program('worker2', ['worker.js'], { url, env });
    await Promise.all([server.start(), worker.start()]);
    const { traceId, payment } = await begin();
    let isKilled = false;
    // The worker dies within its first POST, so nothing of it is recorded.
    receiver.respond = (_, { raw }) => {
      if (isKilled || !raw.includes(payment.id)) return { status: 200 };
      isKilled = true;
      worker.sendKill();
      return 'silence';
    };
    await payWithOutcome(payment, 'approve');
    await until(() => isKilled, Boolean);
    await worker.kill();
    await worker.start();
    const webhooks = await webhooksAbout(receiver, payment.id, 2);
    expect(webhooks.map((webhook) => placeOf(webhook).traceId)).toEqual([traceId, traceId]);
    const spans = await collector.trace(traceId, (all) => named(all, 'POST webhook').length > 0);
    const places = webhooks.map((webhook) => placeOf(webhook).spanId);
    // The span of the first POST died with its process.
    expect(named(spans, 'POST webhook').map(({ spanId }) => spanId)).toEqual([places[1]]);
    expect(named(spans, 'POST webhook')[0]!.attributes['tollgate.attempt']).toBe(1);
  });
});
