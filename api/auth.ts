/** Authentication: finds the caller of a request by the secret key in its Authorization header. */
import { isKeyOver, tenantOf } from '../domain/merchant.ts';
import { makeLookup } from '../http/lookup.ts';
import { findKeys, hashOfKey, touchKey } from '../store/keys.ts';
import type { ApiOptions, ApiState, Caller } from './call.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ErrorCode } from '../operations/refusal.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const LIVE_KEY = /^sk_live_/;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="Tollgate"' };

const unauthorized = (code: ErrorCode): Refusal => new Refusal(code, { headers: CHALLENGE });

/** The part of a request that authentication reads, and the key, which it sets for the logs. */
interface Request {
  readonly headers: { readonly authorization?: string | undefined };
  readonly state: Pick<ApiState, 'keyId' | 'keyTenant'>;
}

/**
 * Creates a function that returns the merchant of a request's key. It refuses a missing, unknown or
 * revoked key. An unknown live key is refused with `live_mode_unavailable`. Logs a revoked key's id
 * too, so that its senders can be found after a leak.
 */
export function makeAuthenticate({ mongo, log }: ApiOptions) {
  const lookUp = makeLookup(async (hashes) => findKeys(mongo, hashes));
  return async ({ headers, state }: Request, now: Date): Promise<Caller> => {
    const secret = BEARER.exec(headers.authorization ?? '')?.[1];
    if (secret === undefined) throw unauthorized('api_key_missing');
    const hash = hashOfKey(secret);
    const key = hash === null ? undefined : await lookUp(hash);
    if (!key) {
      if (LIVE_KEY.test(secret)) throw new Refusal('live_mode_unavailable');
      throw unauthorized('api_key_invalid');
    }
    const tenant = tenantOf(key.merchant_id, key.mode);
    Object.assign(state, { keyId: key._id, keyTenant: tenant });
    // A key that was rolled with an overlap works until the overlap ends.
    if (isKeyOver(key, now)) throw unauthorized('api_key_revoked');
    touchKey(mongo, key, now).catch((error: unknown) => {
      log.warn({ err: error, key_id: key._id }, 'the last use of a key could not be recorded');
    });
    return { mode: key.mode, tenant, keyId: key._id };
  };
}
