/** New ids and tokens. */
import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { PREFIXES } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';

const ulid = monotonicFactory();

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
