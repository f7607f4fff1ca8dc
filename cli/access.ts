/** The API for a merchant's developer, who has an address and a key, but no database. */
import { readAccess } from '../config.ts';
import { Refusal } from '../operations/refusal.ts';
import { Tollgate } from '../sdk/index.ts';
import { missing } from './refusals.ts';

export interface AccessOptions {
  apiKey?: string;
  apiUrl?: string;
}

export interface Access {
  readonly client: Tollgate;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The folder for what commands keep between starts. */
  readonly stateFolder: string;
  /** Returns the exact text of an event, as it is delivered. The client returns it parsed. */
  readonly readRaw: (id: string, signal?: AbortSignal) => Promise<string>;
}

/** Opens the API. Throws `Refusal` if there is no key, and the SDK's error for a malformed one. */
export function openAccess(options: AccessOptions): Access {
  const configured = readAccess();
  const apiKey = options.apiKey ?? configured.apiKey;
  const baseUrl = options.apiUrl ?? configured.apiUrl;
  if (apiKey === undefined) {
    const message = 'The API key is missing: set TOLLGATE_API_KEY, or give --api-key.';
    throw new Refusal('api_key_missing', { message, param: 'api-key' });
  }
  return {
    client: new Tollgate({ apiKey, baseUrl }),
    apiUrl: baseUrl,
    apiKey,
    stateFolder: configured.stateFolder,
    async readRaw(id, signal) {
      let text = '';
      const keep: typeof fetch = async (...args) => {
        const response = await fetch(...args);
        // A byte order mark would be part of the signed text.
        const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        text = decoder.decode(await response.clone().arrayBuffer());
        return response;
      };
      await new Tollgate({ apiKey, baseUrl, fetch: keep }).events.retrieve(id, { signal });
      return text;
    },
  };
}

/** Throws `Refusal` for a live key, because the command works in test mode only. */
export function requireTestKey(options: AccessOptions): void {
  const apiKey = options.apiKey ?? readAccess().apiKey;
  if (!apiKey?.startsWith('sk_live_')) return;
  const message = 'This needs a test key (sk_test_...).';
  throw new Refusal('api_key_invalid', { message, param: 'api-key' });
}

/** Returns the given signing secret, or those of the environment. */
export function secretsOf(secret: string | undefined): readonly string[] {
  return secret === undefined ? readAccess().webhookSecrets : [secret];
}

/** Returns the signing secrets, as `secretsOf` does. Throws `Refusal` without any secret. */
export function requireSecrets(secret: string | undefined): readonly string[] {
  const secrets = secretsOf(secret);
  if (secrets.length > 0) return secrets;
  throw missing('secret', 'The secret is missing: set TOLLGATE_WEBHOOK_SECRET, or give --secret.');
}

/** Returns the address of a receiver. The developer chooses it, so every host is allowed. */
export function readReceiver(text: string, param: string): URL {
  // People type `localhost:9000/hooks`, which parses as the protocol "localhost:". A port alone
  // would parse as an IP address: 9000 as 0.0.35.40.
  const address = text.replace(/^(?=\d+(?:[/?#]|$))/, '127.0.0.1:');
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${address}`;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Refusal('url_invalid', { message: `${text} is not an http or https address.`, param });
}
