/** Encryption of webhook secrets at rest: AES-256-GCM, bound to the row they belong to. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts with the configured key; `rowId` is authenticated with the text. */
export interface Sealer {
  seal(text: string, rowId: string): string;
  /** Throws when the text was changed, belongs to another row or was sealed with another key. */
  unseal(sealed: string, rowId: string): string;
}

/** A sealer with a 32-byte key. The sealed text names its key by 8 characters of its hash. */
export function makeSealer(key: Buffer): Sealer {
  if (key.length !== KEY_BYTES) throw new Error(`An encryption key has ${KEY_BYTES} bytes.`);
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return {
    seal(text, rowId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(rowId));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${keyId}:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    unseal(sealed, rowId) {
      const [id, body = ''] = sealed.split(':');
      if (id !== keyId) throw new Error(`The secret of ${rowId} was sealed with another key.`);
      const bytes = Buffer.from(body, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(rowId)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
