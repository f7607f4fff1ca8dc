/**
 * Encryption of what Temporal stores of our calls: arguments, results, summaries and failures. The
 * ids of workflows and activities and the names of their types stay readable.
 */
import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload } from '@temporalio/common';
import { deriveKeys } from '../store/encryption.ts';
import type { Keys } from '../store/encryption.ts';
import { makeSealer } from '../store/seal.ts';
import type { Sealer } from '../store/seal.ts';

/** The encoding of an encrypted payload, as Temporal's own samples name it. */
const ENCODING = 'binary/encrypted';
/** Is authenticated with each payload. */
const SUBJECT = 'a payload in Temporal';

/** How the clients and workers of an installation write and read payloads. */
export interface Encryption {
  readonly isOn: boolean;
  readonly dataConverter: DataConverter;
}

/**
 * Creates the encryption with keys that are derived from those of the installation. It reads
 * encrypted and plain payloads in any case, so `isOn` may change while workflows run. Reading
 * throws an error that names the key if that key is missing.
 */
export function makeEncryption(keys: Keys, isOn: boolean): Encryption {
  const { current, previous } = deriveKeys(keys, 'temporal payloads');
  const sealer = makeSealer(current, previous);
  const encode = async (payloads: Payload[]): Promise<Payload[]> =>
    isOn ? payloads.map((payload) => encrypt(sealer, payload)) : payloads;
  const decode = async (payloads: Payload[]): Promise<Payload[]> =>
    payloads.map((payload) => (isEncrypted(payload) ? decrypt(sealer, payload) : payload));
  const failures = fileURLToPath(new URL('failures.mjs', import.meta.url));
  return {
    isOn,
    dataConverter: {
      payloadCodecs: [{ encode, decode }],
      ...(isOn ? { failureConverterPath: failures } : {}),
    },
  };
}

const isEncrypted = ({ metadata }: Payload): boolean =>
  metadata?.['encoding'] !== undefined && textOf(metadata['encoding']) === ENCODING;

function encrypt(sealer: Sealer, { metadata, data }: Payload): Payload {
  const entries = Object.entries(metadata ?? {});
  const names = entries.map(([name, value]) => [name, base64Of(value)] as const);
  const plain = { metadata: Object.fromEntries(names), data: base64Of(data ?? new Uint8Array()) };
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(sealer.keyId) },
    data: Buffer.from(sealer.seal(JSON.stringify(plain), SUBJECT)),
  };
}

interface Plain {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

function decrypt(sealer: Sealer, { data }: Payload): Payload {
  const plain = JSON.parse(sealer.unseal(textOf(data ?? new Uint8Array()), SUBJECT)) as Plain;
  const entries = Object.entries(plain.metadata);
  const values = entries.map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
  return { metadata: Object.fromEntries(values), data: Buffer.from(plain.data, 'base64') };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
