/** The encryption keys that stored secrets need. */
import { deriveKeys } from '../store/encryption.ts';
import type { Keys } from '../store/encryption.ts';
import type { Mongo } from '../store/mongo.ts';
import { surveySecrets } from '../store/reseal.ts';
import { makeSealer } from '../store/seal.ts';
import { ok, problem } from './check.ts';
import type { Result } from './check.ts';

/** Returns the ids of the keys, the current one first. Secrets, logs and servers name them. */
export function keyIdsOf(keys: Keys): readonly string[] {
  const { current, previous } = deriveKeys(keys, 'webhook secrets');
  return [current, ...previous].map((key) => makeSealer(key).keyId);
}

/** Tries to open every stored secret with the configured keys. */
export async function judgeKeys(mongo: Mongo, keys: Keys): Promise<Result> {
  const { current, previous } = deriveKeys(keys, 'webhook secrets');
  const {
    older,
    unreadable,
    current: count,
  } = await surveySecrets(mongo, makeSealer(current, previous));
  if (unreadable.count > 0) {
    const owners = [...unreadable.endpoints, ...unreadable.users].join(', ');
    const ids = unreadable.keys.join(', ');
    const found = `Secrets need a key that is not configured (${ids}): ${owners}.`;
    return problem('encryption_keys_missing', found);
  }
  const others = Object.entries(older).map(([id, secrets]) => `${secrets} with the key ${id}`);
  const rest = others.length > 0 ? ` And ${others.join(', ')}.` : '';
  return ok(`Every stored secret can be opened: ${count} with the key in use.${rest}`);
}
