/** Encryption of stored webhook secrets: AES-256-GCM, bound to the row. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Characters of a key's hash that identify the key: enough for a few keys, and irreversible. */
const KEY_ID_LENGTH = 8;

/** Encrypts and decrypts with the configured keys. `rowId` is authenticated with the text. */
export interface Sealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  seal(text: string, rowId: string): string;
  /** Throws if the text was changed, belongs to another row, or needs a key that is missing. */
  unseal(sealed: string, rowId: string): string;
  /**
   * Returns the text sealed with the current key, unchanged if it already is. Throws as `unseal`.
   */
  reseal(sealed: string, rowId: string): string;
}

/**
 * Returns a sealer with 32-byte keys. It seals with `key`, and unseals with `key` or one of
 * `previous`, by the key's id in the sealed text.
 */
export function makeSealer(key: Buffer, previous: readonly Buffer[] = []): Sealer {
  const keyId = idOf(key);
  const keys = new Map([...previous, key].map((each) => [idOf(each), each]));
  const seal = (text: string, rowId: string) => `${keyId}:${encrypt(key, text, rowId)}`;
  const unseal = (sealed: string, rowId: string): string => {
    const id = keyIdOf(sealed);
    const named = id === undefined ? undefined : keys.get(id);
    if (named) return decrypt(named, sealed.slice(KEY_ID_LENGTH + 1), rowId);
    throw new Error(
      id === undefined
        ? `The secret of ${rowId} is not a sealed text.`
        : `The secret of ${rowId} was sealed with another key, ${id}, which is not configured: ` +
            `add that key to ENCRYPTION_KEY_PREVIOUS and restart.`,
    );
  };
  return {
    keyId,
    seal,
    unseal,
    reseal: (sealed, rowId) => {
      const text = unseal(sealed, rowId);
      return keyIdOf(sealed) === keyId ? sealed : seal(text, rowId);
    },
  };
}

/** Returns the id of the key of a sealed text; undefined for any other text. */
export function keyIdOf(sealed: string): string | undefined {
  return /^([0-9a-f]{8}):/.exec(sealed)?.[1];
}

function idOf(key: Buffer): string {
  if (key.length !== KEY_BYTES) throw new Error(`An encryption key has ${KEY_BYTES} bytes.`);
  return createHash('sha256').update(key).digest('hex').slice(0, KEY_ID_LENGTH);
}

function encrypt(key: Buffer, text: string, rowId: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(rowId));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

function decrypt(key: Buffer, base64: string, rowId: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(rowId)).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
