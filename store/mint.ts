/** New ids, tokens and secrets: everything that needs randomness. */
import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { PREFIXES } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';

const ulid = monotonicFactory();

/** A new id of that kind; ids of one process sort in the order they were made. */
export function mintId(kind: IdKind): string {
  return PREFIXES[kind] + ulid();
}

/** 256 random bits that nobody can guess, for an address: 43 characters of base64url. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether the text has the form of a token. The token may not exist. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
