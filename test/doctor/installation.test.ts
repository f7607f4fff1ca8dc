/** An installation as in production: behind proxies with TLS, then with one wrong setting. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../doctor/problems.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/messages.ts';
import { startTollgate, tollgate } from '../cli/command.ts';
import { makeCertificate } from '../outbound/certificate.ts';
import { closeAfterTests } from '../support/close.ts';
import { freePort } from '../support/port.ts';
import { privateName } from '../support/run.ts';
import { openSecured, openTlsProxy } from '../support/servers/secured.ts';
import { codesOf, doctor, expectProblem, findingsOf } from './examined.ts';
import type { Variables } from './examined.ts';

const secured = closeAfterTests(await openSecured('doctor'));
await secured.start();
const { publicEnv, authority } = secured;
const apiPort = Number(publicEnv['API_PORT']);

const temporal = closeAfterTests(
  await Connection.connect({ address: publicEnv['TEMPORAL_ADDRESS'] ?? '' }),
);
const namespace = publicEnv['TEMPORAL_NAMESPACE'] ?? '';
const { schedule } = new Client({ connection: temporal, namespace });

/** Runs the command as a process, which trusts the tests' authority. */
const doctorOutside = async (more: Variables = {}) =>
  startTollgate(['doctor', '--json'], { ...publicEnv, ...more }).ended;

describe('an installation', () => {
  it('is green', async () => {
    const outcome = await doctorOutside();
    const findings = findingsOf(outcome);
    // The disk and the memory of a machine that runs tests may be low.
    const ours = findings.filter(({ check }) => !check.startsWith('machine.'));
    expect(ours.filter(({ state }) => state === 'error' || state === 'warning')).toEqual([]);
    const skipped = ours.filter(({ state }) => state === 'skipped').map(({ check }) => check);
    expect(['mongodb.disk', 'mongodb.transactions', 'webhooks.egress']).toEqual(
      expect.arrayContaining(skipped),
    );
    const worst = codesOf(findings).some((code) => code !== null) ? [1, 2] : [0];
    expect(worst).toContain(outcome.code);
  });

  it('is not changed, and no secret is printed', async () => {
    const { code, stdout, stderr } = await tollgate(['doctor'], publicEnv);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).not.toContain(publicEnv['ENCRYPTION_KEY']);
    expect(stdout).not.toMatch(/^\s+at /m);
    expect((await secured.mongo.auditEntries.find().toArray()).length).toBe(0);
  });
});

const plain = `http://127.0.0.1:${apiPort}`;

/** Wrong addresses. This process does not trust the certificates, so `outside` has the others. */
const WRONG: readonly [ProblemCode, Variables][] = [
  ['address_unknown_name', { API_URL: 'https://api.pay.invalid' }],
  ['address_unreachable', { DASHBOARD_URL: 'https://localhost:1' }],
  ['certificate_untrusted', {}],
  ['address_not_ours', { CHECKOUT_URL: `http://127.0.0.1:${publicEnv['WORKER_HEALTH_PORT']}` }],
  ['address_of_other_service', { CHECKOUT_URL: plain }],
  [
    'address_of_other_installation',
    { API_URL: plain, ENCRYPTION_KEY: randomBytes(32).toString('base64') },
  ],
  ['address_differs', { API_URL: plain }],
  ['address_local', { API_URL: plain }],
  ['address_without_tls', { API_URL: 'http://pay.invalid', ALLOW_HTTP_HOSTS: 'pay.invalid' }],
];

describe('a public address', () => {
  it.each(WRONG)('is reported as %s: %o', async (code, wrong) => {
    expectProblem(await doctor({ ...publicEnv, ...wrong }), code);
  });

  it.each<[ProblemCode, string, number]>([
    ['certificate_of_other_host', 'pay.example', 20],
    ['certificate_expired', 'localhost', -1],
    ['certificate_ends_soon', 'localhost', 5],
  ])('is reported as %s', async (code, host, days) => {
    const certificate = makeCertificate(host, authority, days);
    const proxy = await openTlsProxy(certificate, { target: apiPort });
    try {
      const outcome = await doctorOutside({ API_URL: proxy.url });
      expectProblem(findingsOf(outcome), code);
    } finally {
      await proxy.close();
    }
  });

  it('is reported if another number of proxies is in front of it', async () => {
    const findings = findingsOf(await doctorOutside({ TRUSTED_PROXY_HOPS: '0' }));
    expect(expectProblem(findings, 'proxies_differ')).toMatch(/is 1, .* is 0\.$/);
  });
});

describe('Temporal', () => {
  it.each<[ProblemCode, Variables]>([
    ['temporal_unreachable', { TEMPORAL_ADDRESS: '127.0.0.1:1' }],
    ['temporal_config_unreadable', { TEMPORAL_ADDRESS: 'http://127.0.0.1:7233' }],
    ['temporal_namespace_missing', { TEMPORAL_NAMESPACE: privateName('nowhere') }],
    ['sweep_interval_differs', { SWEEP_SECONDS: '45' }],
  ])('is reported as %s: %o', async (code, wrong) => {
    expectProblem(await doctor({ ...publicEnv, ...wrong }), code);
  });

  it('is reported if it refuses the API key, which is not printed', async () => {
    const gate = createServer().on('stream', (stream) => {
      const refused = { 'grpc-status': '16', 'grpc-message': 'Request unauthorized.' };
      const head = { ':status': 200, 'content-type': 'application/grpc', ...refused };
      stream.respond(head, { endStream: true });
    });
    await new Promise<void>((resolve) => {
      gate.listen(0, '127.0.0.1', resolve);
    });
    afterAll(() => gate.close());
    const TEMPORAL_ADDRESS = `127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const more = { TEMPORAL_ADDRESS, TEMPORAL_API_KEY: 'key-of-temporal', TEMPORAL_TLS: 'false' };
    const findings = await doctor({ ...publicEnv, ...more });
    expectProblem(findings, 'temporal_login_refused');
    expect(JSON.stringify(findings)).not.toContain('key-of-temporal');
  });

  it('is reported if an operator has stopped the sweep', async () => {
    const sweep = schedule.getHandle(SWEEP_SCHEDULE_ID);
    await sweep.pause();
    try {
      expectProblem(await doctor(publicEnv), 'sweep_paused');
    } finally {
      await sweep.unpause();
    }
  });

  it.each<ProblemCode>(['temporal_attributes_missing', 'sweep_missing', 'workers_missing'])(
    'is reported as %s in a namespace without a worker',
    async (code) => {
      const empty = privateName('doctor-empty');
      await temporal.workflowService.registerNamespace({
        namespace: empty,
        workflowExecutionRetentionPeriod: { seconds: (24 * 60 * 60) as never },
      });
      // Temporal needs a moment to know a new namespace everywhere.
      const known = async () => doctor({ ...publicEnv, TEMPORAL_NAMESPACE: empty });
      await expect.poll(async () => codesOf(await known()), { timeout: 60_000 }).toContain(code);
    },
  );

  it('does not respond, and every other check is made all the same', async () => {
    const TEMPORAL_ADDRESS = `127.0.0.1:${await freePort()}`;
    const findings = await doctor({ ...publicEnv, TEMPORAL_ADDRESS });
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).toMatchObject({
      'temporal.connection': 'error',
      'temporal.workers': 'skipped',
      'mongodb.indexes': 'ok',
      'encryption.keys': 'ok',
    });
  });
});
