/** TLS in front of Temporal, as a company's proxy or Temporal Cloud has it. Forwards each call. */
import { connect, createSecureServer } from 'node:http2';
import type {
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  SecureServerOptions,
  ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { makeAuthority, makeCertificate } from '../../outbound/certificate.ts';
import type { Authority } from '../../outbound/certificate.ts';

export interface Call {
  /** The name of the call, such as `StartWorkflowExecution`. */
  readonly name: string;
  readonly authorization: string | undefined;
}

export interface Gate {
  /** `localhost` and the port. */
  readonly address: string;
  /** The authority of its certificate, and of the clients' certificates. */
  readonly authority: Authority;
  /** Every call that it received. */
  readonly calls: Call[];
  /** Returns true for a call that is refused as not permitted. */
  refuses: (call: Call) => boolean;
  close(): Promise<void>;
}

interface GateOptions {
  /** The address of a server without TLS. */
  readonly target: string;
  /** The host and the remaining days of its certificate. */
  readonly host?: string;
  readonly days?: number;
  /** False if clients need no certificate. */
  readonly wantsCertificate?: boolean;
}

const PERMISSION_DENIED = 7;

/** Listens on a free port, and accepts clients with a certificate of its authority. */
export async function openTlsGate(options: GateOptions): Promise<Gate> {
  const { target, host = 'localhost', days = 20, wantsCertificate = true } = options;
  const authority = makeAuthority();
  const secure: SecureServerOptions = {
    ...makeCertificate(host, authority, days),
    ...(wantsCertificate ? { ca: authority.pem, requestCert: true, rejectUnauthorized: true } : {}),
  };
  const upstream = connect(`http://${target}`);
  const server = createSecureServer(secure);
  const sessions = new Set<{ destroy(): void }>();
  const calls: Call[] = [];
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const name = headers[':path']?.split('/').at(-1) ?? '';
    const call = { name, authorization: headers.authorization };
    calls.push(call);
    if (self.refuses(call)) refuse(stream);
    else forward(stream, headers);
  });

  function forward(near: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const far = upstream.request({ ...headers, ':authority': target, ':scheme': 'http' });
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('response', (head, flags) => {
      const { [':status']: status = 200, ...rest } = head;
      // A call that fails at once has its status in the only headers.
      const isOnly = (flags & 1) === 1;
      const how = isOnly ? { endStream: true } : { waitForTrailers: true };
      near.respond({ ':status': status, ...rest }, how);
      if (isOnly) return;
      let trailers: OutgoingHttpHeaders = {};
      far.on('trailers', (found) => {
        trailers = { ...found };
      });
      near.on('wantTrailers', () => near.sendTrailers(trailers));
      far.pipe(near);
    });
    near.pipe(far);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const self: Gate = {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    authority,
    calls,
    refuses: () => false,
    close: async () => {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return self;
}

function refuse(stream: ServerHttp2Stream): void {
  const status = { 'grpc-status': String(PERMISSION_DENIED), 'grpc-message': 'Not permitted.' };
  const head = { ':status': 200, 'content-type': 'application/grpc', ...status };
  stream.respond(head, { endStream: true });
}
