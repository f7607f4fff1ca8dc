/** Changes to a genuine request, as an attacker, a proxy or a framework makes them. */
import { signatureHeaders } from '../../outbound/sign.ts';
import { BODIES, withInvalidUtf8 } from './mutated-bodies.ts';
import { LIBRARIES, OURS } from './verifiers.ts';
import type { SignedRequest, VerifierName } from './verifiers.ts';

export interface GenuineRequest extends SignedRequest {
  /** A secret that signed it. */
  readonly secret: string;
}

export interface Mutation {
  readonly name: string;
  /** Returns undefined if nothing would change. `other` is a genuine request of another event. */
  readonly make: (request: GenuineRequest, other: GenuineRequest) => SignedRequest | undefined;
  /** The verifiers that still accept it. A comment gives the reason why this is harmless. */
  readonly acceptedBy?: readonly VerifierName[];
}

interface Changes {
  readonly body?: (raw: Buffer) => Buffer;
  readonly id?: (id: string) => string | undefined;
  readonly timestamp?: (text: string) => string | undefined;
  /** The signatures of our form and of Standard Webhooks. */
  readonly own?: (text: string) => string | undefined;
  readonly standard?: (text: string) => string | undefined;
}

/** Changes both forms in the same way. Removes a header that is changed to undefined. */
export function change({ headers, raw }: SignedRequest, changes: Changes): SignedRequest {
  const how: Record<string, ((text: string) => string | undefined) | undefined> = {
    'webhook-id': changes.id,
    'webhook-timestamp': changes.timestamp,
    'service-timestamp': changes.timestamp,
    'service-signature': changes.own,
    'webhook-signature': changes.standard,
  };
  const entries = Object.entries(headers).flatMap(([name, text]) => {
    const made = how[name] ? how[name](text) : text;
    return made === undefined ? [] : [[name, made] as const];
  });
  return { headers: Object.fromEntries(entries), raw: changes.body ? changes.body(raw) : raw };
}

/** Returns the request, signed again that many seconds from now. */
export function signedAt(
  { headers, raw, secret }: GenuineRequest,
  offsetSeconds: number,
): SignedRequest {
  const timestamp = Math.floor(Date.now() / 1_000) + offsetSeconds;
  const message = { id: headers['webhook-id'] ?? '', timestamp, body: raw.toString() };
  const signed = Object.entries(signatureHeaders(message, [secret]));
  return {
    headers: Object.fromEntries(signed.map(([name, text]) => [name.toLowerCase(), text])),
    raw,
  };
}

/** Returns the request with one bit of its body flipped. */
export function flipped({ headers, raw }: SignedRequest, bit: number): SignedRequest {
  const bytes = Buffer.from(raw);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return { headers, raw: bytes };
}

const shift = (by: number) => (text: string) => String(Number(text) + by);
/** Changes both signatures with one function. */
const macs = (how: (text: string) => string) => ({ own: how, standard: how });
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');
const firstOwn = (signatures: string) => signatures.split(',')[0] ?? '';
const firstStandard = (signatures: string) => signatures.split(' ')[0] ?? '';

const TIMESTAMPS: [string, (text: string) => string | undefined][] = [
  ['a second earlier', shift(-1)],
  ['a second later', shift(1)],
  ['301 s earlier', shift(-301)],
  ['301 s later', shift(301)],
  ['that is not a number', () => 'now'],
  ['NaN', () => 'NaN'],
  ['empty', () => ''],
  ['missing', () => undefined],
  ['in milliseconds', (seconds) => `${seconds}000`],
  ['negative', (seconds) => `-${seconds}`],
  ['with an exponent', (seconds) => `${seconds[0]}.${seconds.slice(1)}e9`],
  ['in hex', (seconds) => `0x${Number(seconds).toString(16)}`],
];

/** The same number in another spelling. The libraries parse it and sign the parsed number. */
const SAME_NUMBER: [string, (text: string) => string][] = [
  ['after a zero', (seconds) => `0${seconds}`],
  ['after a plus', (seconds) => `+${seconds}`],
  ['with a fraction', (seconds) => `${seconds}.5`],
  ['with letters after it', (seconds) => `${seconds}x`],
  ['after a space', (seconds) => ` ${seconds}`],
];

const SIGNATURES: [string, Changes][] = [
  ['empty', macs(() => '')],
  ['a space', macs(() => ' ')],
  ['short', { own: () => 'v1=ab', standard: () => 'v1,YWI=' }],
  ['the version alone', { own: () => 'v1=', standard: () => 'v1,' }],
  ['the version without a comma', macs(() => 'v1')],
  [
    'a prefix of the right one',
    {
      own: (all) => firstOwn(all).slice(0, -2),
      standard: (all) => firstStandard(all).slice(0, -4),
    },
  ],
  [
    'longer than the right one',
    { own: (all) => `${firstOwn(all)}00`, standard: (all) => `${firstStandard(all)}AAAA` },
  ],
  [
    'without its version',
    { own: (all) => firstOwn(all).slice(3), standard: (all) => firstStandard(all).slice(3) },
  ],
  ['of version 2', macs((all) => all.replaceAll('v1', 'v2'))],
  ['of the version with public keys', macs((all) => all.replaceAll('v1', 'v1a'))],
  ['of a version in capitals', macs((all) => all.replaceAll('v1', 'V1'))],
  [
    'in lower case',
    {
      own: (all) => all.toUpperCase().replaceAll('V1', 'v1'),
      standard: (all) => all.toLowerCase(),
    },
  ],
  [
    'of other lists',
    {
      own: (all) => firstOwn(all).replace('=', ','),
      standard: (all) => firstStandard(all).replace(',', '='),
    },
  ],
  ['without its padding', { own: () => undefined, standard: (all) => all.replaceAll('=', '') }],
  [
    'of zeros',
    {
      own: () => `v1=${'0'.repeat(64)}`,
      standard: () => `v1,${Buffer.alloc(32).toString('base64')}`,
    },
  ],
];

const mutation = (
  name: string,
  changes: Changes,
  acceptedBy: readonly VerifierName[] = [],
): Mutation => ({
  name,
  make: (request) => changed(request, change(request, changes)),
  acceptedBy,
});

/** Puts the MAC of each form into the header of the other. */
function swapMacs({ headers, raw }: SignedRequest): SignedRequest {
  const own = firstOwn(headers['service-signature'] ?? '').slice(3);
  const standard = firstStandard(headers['webhook-signature'] ?? '').slice(3);
  return change(
    { headers, raw },
    {
      own: () => `v1=${Buffer.from(standard, 'base64').toString('hex')}`,
      standard: () => `v1,${Buffer.from(own, 'hex').toString('base64')}`,
    },
  );
}

/** Changes the last two bits of the base64, which are not part of the MAC. */
function withLooseBase64(all: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return all.replaceAll(/(.)=/g, (_, last: string) => `${alphabet[alphabet.indexOf(last) + 1]}=`);
}

export const MUTATIONS: readonly Mutation[] = [
  ...BODIES.map(([name, body]) => mutation(`body ${name}`, { body })),
  ...TIMESTAMPS.map(([name, timestamp]) => mutation(`timestamp ${name}`, { timestamp })),
  ...SAME_NUMBER.map(([name, timestamp]) =>
    mutation(`timestamp ${name}`, { timestamp }, LIBRARIES),
  ),
  ...SIGNATURES.map(([name, changes]) => mutation(`signature ${name}`, changes)),
  // Our form does not cover the header: it covers the id in the body.
  mutation('id changed', { id: (id) => `${id}0` }, OURS),
  mutation('id empty', { id: () => '' }, OURS),
  mutation('id missing', { id: () => undefined }, OURS),
  {
    name: 'id of another event',
    make: (request, other) => change(request, { id: () => other.headers['webhook-id'] }),
    acceptedBy: OURS,
  },
  {
    name: 'signatures of another delivery',
    make: (request, { headers }) =>
      change(request, {
        own: () => headers['service-signature'],
        standard: () => headers['webhook-signature'],
      }),
  },
  { name: 'headers of another delivery', make: ({ raw }, { headers }) => ({ headers, raw }) },
  { name: 'body of another delivery', make: ({ headers }, { raw }) => ({ headers, raw }) },
  { name: 'MACs of the other form', make: swapMacs },
  {
    name: 'signature in URL-safe base64',
    make: (request) => withStandard(request, urlSafe),
  },
  // The same MAC in another spelling.
  {
    name: 'signature in non-canonical base64',
    make: (request) => withStandard(request, withLooseBase64),
  },
  // The libraries decode the body, and invalid bytes become U+FFFD.
  {
    name: 'body with invalid bytes instead of U+FFFD',
    make: (request) => changed(request, change(request, { body: withInvalidUtf8 })),
    acceptedBy: LIBRARIES,
  },
  // The libraries read only the text between the first two commas.
  mutation(
    'signature with text after it',
    { own: (all) => `${firstOwn(all)}x`, standard: (all) => `${firstStandard(all)},x` },
    LIBRARIES,
  ),
  { name: 'signed 301 s ago', make: (request) => signedAt(request, -301) },
  { name: 'signed 301 s ahead', make: (request) => signedAt(request, 301) },
];

/** Changes the first signature of Standard Webhooks, and removes all others. */
function withStandard(
  request: SignedRequest,
  how: (text: string) => string,
): SignedRequest | undefined {
  const alone = change(request, { own: () => undefined, standard: firstStandard });
  return changed(alone, change(alone, { standard: how }));
}

/** Returns undefined if nothing has changed. */
function changed(before: SignedRequest, after: SignedRequest): SignedRequest | undefined {
  const isSame =
    before.raw.equals(after.raw) &&
    JSON.stringify(before.headers) === JSON.stringify(after.headers);
  return isSame ? undefined : after;
}
