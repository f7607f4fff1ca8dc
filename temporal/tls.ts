/** Finds out why a connection to Temporal fails if TLS is the reason, and says so in a sentence. */
import { X509Certificate } from 'node:crypto';
import { connect as openSession } from 'node:http2';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { ConnectionOptions } from '@temporalio/client';

/** The time limit of the trial connection. */
const TRIAL_MS = 3_000;
const DEFAULT_ADDRESS = 'localhost:7233';
const DEFAULT_PORT = 7233;

/** Temporal cannot be reached. The message is a sentence for the operator. */
export class TemporalUnreachable extends Error {
  override name = 'TemporalUnreachable';
}

export interface TlsFault {
  /** The code that the doctor reports. */
  readonly code: FaultCode;
  readonly text: string;
}

type FaultCode =
  | 'temporal_certificate_untrusted'
  | 'temporal_certificate_of_other_host'
  | 'temporal_certificate_expired'
  | 'temporal_client_certificate_missing'
  | 'temporal_client_certificate_expired'
  | 'temporal_client_certificate_refused'
  | 'temporal_tls_needed'
  | 'temporal_tls_not_spoken';

/** The faults of the server's certificate, by Node's codes. */
const SERVER_FAULTS: Readonly<Record<string, readonly [FaultCode, string]>> = {
  CERT_HAS_EXPIRED: ['temporal_certificate_expired', 'has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['temporal_certificate_of_other_host', 'is for another host'],
  ...Object.fromEntries(
    [
      'CERT_NOT_YET_VALID',
      'CERT_SIGNATURE_FAILURE',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ].map((code) => [code, ['temporal_certificate_untrusted', 'is not trusted']] as const),
  ),
};

/** Codes of a server that does not speak TLS. */
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE/;

/**
 * Returns why these options cannot work, or undefined if TLS is not the reason. Connects once and
 * makes no call. Takes 3 s at most, and never throws.
 */
export async function findTlsFault(options: ConnectionOptions): Promise<TlsFault | undefined> {
  // An address or a certificate that cannot be parsed has an error of its own.
  return find(options).catch(() => undefined);
}

async function find(options: ConnectionOptions): Promise<TlsFault | undefined> {
  const { address = DEFAULT_ADDRESS } = options;
  const speaksTls = options.tls ?? options.apiKey !== undefined;
  const { serverNameOverride, serverRootCACertificate, clientCertPair } =
    typeof speaksTls === 'object' ? speaksTls : {};
  if (!speaksTls) {
    const tried = await tryTls(address, { rejectUnauthorized: false });
    // The server may refuse us without a client certificate, but it has understood TLS.
    if (!tried.isSecure) return undefined;
    return { code: 'temporal_tls_needed', text: `${address} speaks TLS only.` };
  }
  const ends = clientCertPair && certificateEnd(clientCertPair.crt);
  if (ends && ends < new Date()) {
    const text = `The client certificate for Temporal expired at ${ends.toISOString()}.`;
    return { code: 'temporal_client_certificate_expired', text };
  }
  const { isSecure, code } = await tryTls(address, {
    ...(serverNameOverride ? { servername: serverNameOverride } : {}),
    ...(serverRootCACertificate ? { ca: Buffer.from(serverRootCACertificate) } : {}),
    ...(clientCertPair
      ? { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }
      : {}),
  });
  return code === undefined
    ? undefined
    : faultOf({ address, code, isSecure, hasCertificate: clientCertPair !== undefined });
}

interface Failed {
  readonly address: string;
  readonly code: string;
  /** True if we had accepted the server's certificate. */
  readonly isSecure: boolean;
  readonly hasCertificate: boolean;
}

function faultOf({ address, code, isSecure, hasCertificate }: Failed): TlsFault | undefined {
  const [known, words] = SERVER_FAULTS[code] ?? [];
  if (known) return { code: known, text: `The certificate of ${address} ${words} (${code}).` };
  if (NO_TLS.test(code)) {
    return { code: 'temporal_tls_not_spoken', text: `${address} does not speak TLS.` };
  }
  // From here on, the server has ended the connection.
  if (!isSecure && !code.includes('_ALERT_')) return undefined;
  return hasCertificate
    ? {
        code: 'temporal_client_certificate_refused',
        text: `${address} refuses the client certificate (${code}).`,
      }
    : {
        code: 'temporal_client_certificate_missing',
        text: `${address} requires a client certificate (${code}).`,
      };
}

interface Tried {
  readonly isSecure: boolean;
  /** Undefined if the server accepted the connection, or nothing happened in time. */
  readonly code: string | undefined;
}

async function tryTls(address: string, options: TlsOptions): Promise<Tried> {
  const { hostname: host, port } = new URL(`https://${address}`);
  let isSecure = false;
  const socket = connect({
    host,
    port: Number(port) || DEFAULT_PORT,
    // An IP address is no server name.
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['h2'],
    ...options,
  });
  socket.once('secureConnect', () => {
    isSecure = true;
  });
  const session = openSession(`https://${address}`, { createConnection: () => socket });
  try {
    const code = await new Promise<string | undefined>((resolve) => {
      session.once('remoteSettings', () => resolve(undefined));
      session.on('error', () => undefined);
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      socket.once('close', () => resolve('ECONNRESET'));
      setTimeout(() => resolve(undefined), TRIAL_MS).unref();
    });
    return { isSecure, code };
  } finally {
    session.destroy();
    socket.destroy();
  }
}

/** Returns the time when a certificate ends. Throws if the bytes are not a certificate. */
export function certificateEnd(pem: Uint8Array): Date {
  return new Date(new X509Certificate(pem).validTo);
}

/** Returns the end of the client certificate; undefined without one. */
export function clientCertificateEnd({ tls }: Pick<ConnectionOptions, 'tls'>): Date | undefined {
  const pair = typeof tls === 'object' ? tls?.clientCertPair : undefined;
  return pair && certificateEnd(pair.crt);
}

/** Returns an error that explains why Temporal cannot be reached, with `error` as its cause. */
export async function explainUnreachable(
  options: ConnectionOptions,
  error: unknown,
): Promise<TemporalUnreachable> {
  const fault = await findTlsFault(options);
  const reason = fault?.text ?? (error instanceof Error ? error.message : String(error));
  const { address = DEFAULT_ADDRESS } = options;
  const hint = 'Run `tollgate doctor` for the remedy.';
  return new TemporalUnreachable(
    `Temporal at ${address} cannot be used. ${reason.split('\n')[0]} ${hint}`,
    { cause: error },
  );
}
