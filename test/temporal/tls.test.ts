/** Connections to a Temporal behind TLS that requires a client certificate. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, describe, expect, it } from 'vitest';
import { codesOf, doctor, environment, expectProblem } from '../doctor/examined.ts';
import type { ProblemCode } from '../../doctor/problems.ts';
import { makeLog } from '../../log.ts';
import { lazyConnection, makeTemporal } from '../../temporal/client.ts';
import { makeAuthority, makeCertificate } from '../outbound/certificate.ts';
import { closeAfterTests } from '../support/close.ts';
import { payWithOutcome } from '../support/customer.ts';
import { openReceiver } from '../support/receiver.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { privateName, testServers } from '../support/run.ts';
import { openDeployment, tollgate } from '../support/servers/deployment.ts';
import { openTlsGate } from '../support/servers/gate.ts';
import type { Gate } from '../support/servers/gate.ts';
import { until } from '../support/until.ts';

const target = testServers().temporalAddress;
const plain = target.replace('127.0.0.1', 'localhost');
const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-tls-'));
afterAll(async () => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const file = path.join(folder, `${randomBytes(6).toString('hex')}.pem`);
  await writeFile(file, text);
  return file;
}

type Variables = Record<string, string>;

/** Returns the variables of a client that trusts the gate, with a certificate that it accepts. */
async function credentialsFor(
  { address, authority }: Pick<Gate, 'address' | 'authority'>,
  { by = authority, days = 20 } = {},
): Promise<Variables> {
  const { cert, key } = makeCertificate('tollgate', by, days);
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TLS_CLIENT_CERT_PATH: await fileWith(cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: await fileWith(key),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: await fileWith(authority.pem),
  };
}

const gate = closeAfterTests(await openTlsGate({ target }));
const expired = closeAfterTests(await openTlsGate({ target, days: -1 }));
const elsewhere = closeAfterTests(await openTlsGate({ target, host: 'temporal.example' }));
const whole = await credentialsFor(gate);
const without = (names: RegExp): Variables =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.test(name)));
const withoutClient = without(/_CLIENT_/);
const withoutAuthority = without(/_CA_/);
const ofStranger = await credentialsFor(gate, { by: makeAuthority('Stranger') });
const past = await credentialsFor(gate, { days: -1 });

/** Faults with the doctor's code, and the sentence of a start. */
const FAULTS: readonly [ProblemCode, Variables, RegExp][] = [
  ['temporal_certificate_untrusted', withoutAuthority, /is not trusted/],
  [
    'temporal_certificate_untrusted',
    { ...whole, TEMPORAL_TLS_SERVER_CA_CERT_PATH: await fileWith(makeAuthority('Other').pem) },
    /is not trusted/,
  ],
  ['temporal_certificate_expired', await credentialsFor(expired), /certificate of .* has expired/],
  ['temporal_certificate_of_other_host', await credentialsFor(elsewhere), /is for another host/],
  [
    'temporal_certificate_of_other_host',
    { ...whole, TEMPORAL_TLS_SERVER_NAME: 'temporal.example' },
    /is for another host/,
  ],
  ['temporal_client_certificate_missing', withoutClient, /requires a client certificate/],
  ['temporal_client_certificate_refused', ofStranger, /refuses the client certificate/],
  ['temporal_client_certificate_expired', past, /client certificate .* expired at 20/],
  ['temporal_tls_needed', { TEMPORAL_ADDRESS: gate.address }, /speaks TLS only/],
  ['temporal_tls_not_spoken', { ...whole, TEMPORAL_ADDRESS: plain }, /does not speak TLS/],
];

describe('a connection that cannot work', () => {
  it.each(FAULTS)('is reported by the doctor as %s: %o', async (code, variables, sentence) => {
    const findings = await doctor(environment(variables));
    expect(expectProblem(findings, code)).toMatch(sentence);
  });

  it('is not reported if a name in the certificate is given', async () => {
    const variables = await credentialsFor(elsewhere);
    const findings = await doctor(
      environment({ ...variables, TEMPORAL_TLS_SERVER_NAME: 'temporal.example' }),
    );
    expect(findings.find(({ check }) => check === 'temporal.connection')?.state).toBe('ok');
  });

  it('is announced while the client certificate still works', async () => {
    const findings = await doctor(environment(await credentialsFor(gate, { days: 5 })));
    expectProblem(findings, 'temporal_client_certificate_ends_soon');
    expect(codesOf(await doctor(environment(whole)))).not.toContain(
      'temporal_client_certificate_ends_soon',
    );
  });
});

const receiver = closeAfterTests(await openReceiver());
const apiKeyFile = path.join(folder, 'api-key');
await writeFile(apiKeyFile, 'first-key\n');
const secured = { ...whole, TEMPORAL_API_KEY_FILE: apiKeyFile };
const deployment = closeAfterTests(
  await openDeployment({ file: 'tls', server: secured, worker: secured }),
);
const env = { ...deployment.env, ...secured };

/** The start of a process takes a second, so it is tried with some of the faults. */
const STARTS = new Set<ProblemCode>([
  'temporal_certificate_untrusted',
  'temporal_certificate_expired',
  'temporal_client_certificate_missing',
  'temporal_client_certificate_expired',
]);

describe('a start that cannot connect', () => {
  const chosen = FAULTS.filter(([code], n) => n > 0 && STARTS.has(code));
  it.each(chosen)('fails in the worker with a sentence, %s: %o', async (_, variables, sentence) => {
    const worker = deployment.program('worker-refused', ['worker.js'], {
      url: 'http://127.0.0.1:1',
      env: variables,
    });
    const failure = await worker.start().catch((error: Error) => error.message);
    const lines = String(failure).trim().split('\n').at(-1);
    expect(lines).toMatch(sentence);
    expect(failure).toContain('tollgate doctor');
    expect(failure).not.toMatch(/^\s+at /m);
  });

  it('is logged by the server, which accepts payments all the same', async () => {
    const server = deployment.program('server-refused', ['server.js'], {
      url: `${deployment.env['API_URL']}/livez`,
      env: withoutClient,
    });
    await server.start();
    const log = async () => readFile(path.join(deployment.folder, 'server-refused.log'), 'utf8');
    await until(log, (text) => text.includes('requires a client certificate'));
    expect(await log()).not.toMatch(/^\s+at |"stack"/m);
    await server.kill();
  });
});

describe('server, worker and commands behind TLS', () => {
  it('make a payment and deliver its webhook, with the API key on each call', async () => {
    await deployment.start();
    gate.calls.length = 0;
    const merchant = await deployment.createMerchant(receiver.url);
    const payment = await merchant.create('order-1042');
    await payWithOutcome(payment, 'approve');
    await until(
      () => receiver.requests.length,
      (count) => count === 1,
    );
    const [delivery] = await until(
      async () => deployment.mongo.deliveries.find({ state: 'succeeded' }).toArray(),
      ({ length }) => length === 1,
    );
    const shown = await tollgate(env, ['resend', '--id', delivery?._id ?? '']);
    expect(shown).toMatchObject({ starts: expect.any(String) });
    await until(
      () => receiver.requests.length,
      (count) => count === 2,
    );
    expect(await tollgate(env, ['migrate', '--check'])).toMatchObject({ ok: true });
    const names = new Set(gate.calls.map(({ name }) => name));
    expect(names).toContain('SignalWithStartWorkflowExecution');
    expect(names).toContain('StartActivityExecution');
    expect(names).toContain('PollWorkflowTaskQueue');
    expect(new Set(gate.calls.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer first-key']),
    );
  });

  it('are green for the doctor', async () => {
    const findings = await doctor(env);
    const ours = findings.filter(({ check }) => check.startsWith('temporal.'));
    expect(ours.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('first-key');
  });

  it('read a new API key from its file without a restart', async () => {
    await writeFile(`${apiKeyFile}.new`, 'second-key\n');
    await rename(`${apiKeyFile}.new`, apiKeyFile);
    // From now on only the new key is accepted. Server and worker recover by themselves.
    gate.refuses = ({ authorization }) => authorization !== 'Bearer second-key';
    const isPolling = () =>
      gate.calls.some(
        ({ name, authorization }) =>
          name === 'PollWorkflowTaskQueue' && authorization === 'Bearer second-key',
      );
    await until(isPolling, Boolean);
    const health = `${deployment.env['API_URL']}/readyz`;
    await until(
      async () => (await fetch(health)).text(),
      (text) => !text.includes('degraded'),
    );
    gate.refuses = () => false;
  });
});

describe('an API key that may not create search attributes', () => {
  it('starts workflows without them, as on Temporal Cloud', async () => {
    const cloud = closeAfterTests(await openTlsGate({ target, wantsCertificate: false }));
    cloud.refuses = ({ name }) => name === 'AddSearchAttributes';
    const tls = { serverRootCACertificate: Buffer.from(cloud.authority.pem) };
    const connection = lazyConnection({ address: cloud.address, tls, apiKey: 'key-of-cloud' });
    const namespace = privateName('cloud');
    const log = makeLog('test', 'silent');
    const temporal = closeAfterTests(
      makeTemporal({ connection, namespace, webhookTimeoutMs: 1_000, log }),
    );
    await until(async () => temporal.isReady(), Boolean);
    const payment = makePayment();
    await retryUnavailable(async () => temporal.wakePayment(payment));
    const handle = new Client({ connection, namespace }).workflow.getHandle(payment._id);
    expect((await handle.describe()).searchAttributes).not.toHaveProperty('MerchantId');
    expect(cloud.calls.map(({ name }) => name)).toContain('AddSearchAttributes');
  });
});
