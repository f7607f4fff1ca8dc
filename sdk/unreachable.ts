/** Explains why a request got no response, by the code of the runtime's error. */

/** The ends of messages, after the address. `baseUrl` cannot have a user name or password. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection. Check that the service runs there, and check baseUrl.',
  ENOTFOUND: 'has a host name that was not found. Check baseUrl.',
  EAI_AGAIN: 'has a host name that could not be looked up. Check baseUrl and your DNS.',
  ETIMEDOUT: 'did not accept the connection in time. Check baseUrl and your firewall.',
  UND_ERR_CONNECT_TIMEOUT:
    'did not accept the connection in time. Check baseUrl and your firewall.',
  ECONNRESET: 'closed the connection without a response. Check baseUrl and any proxy.',
  UND_ERR_SOCKET: 'closed the connection without a response. Check baseUrl and any proxy.',
  EPROTO: 'does not respond with TLS. Check baseUrl: perhaps it must begin with http.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'does not respond with TLS. Check baseUrl: perhaps it must begin with http.',
};
const CERTIFICATE = 'has a TLS certificate that is not accepted. Check baseUrl and the certificate';
const IS_CERTIFICATE = /CERT|^UNABLE_TO_|SELF_SIGNED|^ERR_TLS_/;

/** Returns the message for a failed request to that address. */
export function explainFailure(baseUrl: string, error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && Object.hasOwn(REASONS, code)) return `${baseUrl} ${REASONS[code]}`;
  if (code !== undefined && IS_CERTIFICATE.test(code))
    return `${baseUrl} ${CERTIFICATE} (${code}).`;
  return `${baseUrl} could not be reached. Check baseUrl and the network.`;
}

/** Returns the code of the error, or of the one that caused it. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const found = cause?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}
