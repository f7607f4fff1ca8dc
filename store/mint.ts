/** New ids and tokens. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { PREFIXES } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';

/** Random bytes for many ids. By itself ulid asks the system for each byte. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Returns a random number from 0 to 1, with the 8 bits that a character of an id needs. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  used += 1;
  return byte / 256;
}

const ulid = monotonicFactory(random);

/** Returns a new id of that kind. The ids of one process sort by creation. */
export function mintId(kind: IdKind): string {
  return PREFIXES[kind] + ulid();
}

/** Returns 256 random bits as 43 characters of base64url, for a secret address. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns true if the text has the form of a token. The token may not exist. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
