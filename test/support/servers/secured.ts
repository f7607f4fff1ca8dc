/** A deployment behind proxies that speak TLS, as an operator runs it in production. */
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import path from 'node:path';
import { makeAuthority, makeCertificate } from '../../outbound/certificate.ts';
import type { Authority, Certificate } from '../../outbound/certificate.ts';
import { freePort } from '../port.ts';
import { openDeployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';

export interface Secured extends Deployment {
  readonly authority: Authority;
  /** Variables of a command that knows the public addresses, and trusts their certificates. */
  readonly publicEnv: Readonly<Record<string, string>>;
}

/** Opens a deployment with a proxy in front of each of its three ports. */
export async function openSecured(file: string): Promise<Secured> {
  const authority = makeAuthority();
  const certificate = makeCertificate('localhost', authority, 20);
  const [api = 0, checkout = 0, dashboard = 0] = await Promise.all(
    Array.from({ length: 3 }, async () => freePort()),
  );
  const own = {
    API_URL: `https://localhost:${api}`,
    CHECKOUT_URL: `https://localhost:${checkout}`,
    DASHBOARD_URL: `https://localhost:${dashboard}`,
    TRUSTED_PROXY_HOPS: '1',
  };
  const deployment = await openDeployment({ file, server: own, worker: own });
  const { env, folder } = deployment;
  const ports = [
    [api, env['API_PORT']],
    [checkout, env['CHECKOUT_PORT']],
    [dashboard, env['DASHBOARD_PORT']],
  ] as const;
  const proxies = await Promise.all(
    ports.map(async ([at, target]) => openTlsProxy(certificate, { at, target: Number(target) })),
  );
  const caFile = path.join(folder, 'authority.pem');
  await writeFile(caFile, authority.pem);
  return {
    ...deployment,
    authority,
    publicEnv: { ...env, ...own, NODE_EXTRA_CA_CERTS: caFile, TOLLGATE_API_URL: own.API_URL },
    close: async () => {
      await Promise.all(proxies.map(async (proxy) => proxy.close()));
      await deployment.close();
    },
  };
}

/** Opens a proxy with that certificate, which adds to `X-Forwarded-For`. */
export async function openTlsProxy(
  { cert, key }: Certificate,
  { at = 0, target }: { at?: number; target: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = at === 0 ? await freePort() : at;
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming;
    const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' };
    const options = { host: '127.0.0.1', port: target, method, path: url, headers: forwarded };
    const inner = request(options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, resolve);
  });
  return {
    url: `https://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
