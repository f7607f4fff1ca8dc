import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { openReceiver } from '../support/receiver.ts';
import { openListener } from './listeners.ts';

const closers: (() => Promise<unknown>)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-guard-'));
});
afterEach(async () => {
  await Promise.all(closers.splice(0).map(async (close) => close()));
});
afterAll(async () => rm(folder, { recursive: true }));

/** Returns the results of POSTs to the URLs by a process with these variables. */
async function postWith(env: Record<string, string>, urls: readonly string[]): Promise<unknown> {
  const args = ['--import', 'tsx', 'test/outbound/postonce.ts', ...urls];
  const options = { cwd: PROJECT, env: { ...process.env, NODE_OPTIONS: '', ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

/** Opens an HTTPS receiver with that certificate. Returns its URL. */
async function openTls(certificate: Certificate, host = '127.0.0.1'): Promise<string> {
  const server = createServer(certificate, (_, response) => void response.end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(
    async () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return `https://${host}:${(server.address() as AddressInfo).port}/hooks`;
}

describe('a proxy in the environment', () => {
  it('is ignored in every variable, even with NODE_USE_ENV_PROXY', async () => {
    const proxy = await openListener('127.0.0.1');
    const receiver = await openReceiver();
    const url = `http://127.0.0.1:${proxy.port}`;
    const kinds = ['HTTP', 'HTTPS', 'ALL', 'SOCKS', 'SOCKS5', 'FTP', 'WS', 'NODE'];
    const others = ['GLOBAL_AGENT_HTTP_PROXY', 'GLOBAL_AGENT_HTTPS_PROXY', 'NPM_CONFIG_PROXY'];
    const names = [...kinds.map((kind) => `${kind}_PROXY`), ...others, 'NPM_CONFIG_HTTPS_PROXY'];
    const env = Object.fromEntries(
      names
        .flatMap((name) => [name, name.toLowerCase(), name[0] + name.slice(1).toLowerCase()])
        .map((name) => [name, url]),
    );
    const switches = { NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' };
    const secure = await openTls(makeCertificate('127.0.0.1'));
    const results = await postWith({ ...env, ...switches }, [receiver.url, secure]);
    await Promise.all([proxy.close(), receiver.close()]);
    expect(results).toEqual([200, 'tls_failed']);
    expect(receiver.requests).toHaveLength(1);
    expect(proxy.connections).toBe(0);
  });
});

describe('the certificate of a receiver', () => {
  it('must be valid, for the host and from a trusted authority, in any environment', async () => {
    const authority = makeAuthority();
    const stranger = makeAuthority('Somebody else');
    const caFile = path.join(folder, 'ca.pem');
    await writeFile(caFile, authority.pem);
    const urls = await Promise.all([
      openTls(makeCertificate('127.0.0.1', authority)),
      openTls(makeCertificate('localhost', authority), 'localhost'),
      openTls(makeCertificate('127.0.0.1')),
      openTls(makeCertificate('127.0.0.1', authority, -1)),
      openTls(makeCertificate('127.0.0.2', authority)),
      openTls(makeCertificate('shop.example', authority), 'localhost'),
      openTls(makeCertificate('127.0.0.1', stranger)),
      openTls(makeCertificate('127.0.0.1', { ...authority, key: stranger.key })),
    ]);
    const refused = Array<string>(6).fill('tls_failed');
    const trusting = { NODE_EXTRA_CA_CERTS: caFile };
    expect(await postWith(trusting, urls)).toEqual([200, 200, ...refused]);
    const careless = { ...trusting, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(await postWith(careless, urls)).toEqual([200, 200, ...refused]);
  });
});
