/**
 * Validators of variables. Each returns the parsed value, or throws an error with the right form.
 */
import { makeValidator } from 'envalid';
import { parseRanges } from '../outbound/address.ts';
import type { Range } from '../outbound/address.ts';
import { parseKey, parsePreviousKeys } from '../store/encryption.ts';
import { list } from './text.ts';

const MAX_DELAY_SECONDS = 30 * 24 * 60 * 60;
const MAX_ATTEMPTS = 50;

/** The variables that any program needs from the system, and those that Node reads. */
export const SYSTEM = new RegExp(
  '^(PATH|HOME|USER|TMPDIR|LANG|LC_ALL|TZ|XDG_CONFIG_HOME|SSL_CERT_(FILE|DIR)|' +
    'NODE_(OPTIONS|ENV|DEBUG|EXTRA_CA_CERTS))$',
);

/** A host name or address in the form that a URL has, without a port. */
const HOST = /^([\w.-]+|\[[0-9a-f:.]+\])$/i;

const isHost = (text: string): boolean => HOST.test(text) && URL.canParse(`http://${text}`);

export const hosts = makeValidator((text): readonly string[] => {
  const all = list(text);
  if (all.every(isHost)) return all.map((host) => new URL(`http://${host}`).hostname);
  throw new Error(
    'must be a comma-separated list of hosts or addresses, such as shop.internal,10.0.0.5',
  );
});

export const count = (min: number, max: number, reason = '') =>
  makeValidator((text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new Error(`must be a whole number from ${min} to ${max}${reason}`);
  });

export const key = makeValidator(parseKey);
export const keys = makeValidator((text) => parsePreviousKeys(list(text)));

export const ranges = makeValidator((text): Range[] => {
  try {
    return parseRanges(list(text));
  } catch {
    throw new Error('must be a comma-separated list of ranges such as 127.0.0.1/32');
  }
});

export const schedule = makeValidator((text): readonly number[] => {
  const seconds = list(text).map(Number);
  const fits = seconds.every((delay) => delay >= 0 && delay <= MAX_DELAY_SECONDS);
  if (seconds.length > 0 && seconds.length <= MAX_ATTEMPTS && fits) return seconds;
  throw new Error('must be a comma-separated list of 1 to 50 delays in seconds');
});

export interface UrlVariables {
  readonly API_URL?: string | undefined;
  readonly CHECKOUT_URL?: string | undefined;
  readonly DASHBOARD_URL?: string | undefined;
  readonly ALLOW_HTTP_HOSTS?: readonly string[] | undefined;
}

export const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns a fault, by variable, for each address that would send secrets unencrypted. */
export function unencrypted(variables: UrlVariables): Partial<Record<string, Error>> {
  const { ALLOW_HTTP_HOSTS: allowed, ...urls } = variables;
  const names = ['API_URL', 'CHECKOUT_URL', 'DASHBOARD_URL'] as const;
  const faults = names.flatMap((name): (readonly [string, Error])[] => {
    const { protocol, hostname } = new URL(urls[name] ?? 'https://unset.invalid');
    // If the list itself is invalid, only that fault is reported.
    if (protocol === 'https:' || LOOPBACK.test(hostname)) return [];
    if (allowed?.includes(hostname) ?? true) return [];
    const message =
      `${urls[name]} sends keys and card data unencrypted; use https, or set ` +
      `ALLOW_HTTP_HOSTS=${hostname} if nobody else can listen on that network`;
    return [[name, new Error(message)]];
  });
  return Object.fromEntries(faults);
}
