/** What an attacker, a proxy or a framework may do to a genuine request. */
import { signatureHeaders } from '../../outbound/sign.ts';
import { BODIES, untexted } from './mutated-bodies.ts';
import { LIBRARIES, OURS } from './verifiers.ts';
import type { Letter, VerifierName } from './verifiers.ts';

export interface Genuine extends Letter {
  /** One that signed it. */
  readonly secret: string;
}

export interface Mutation {
  readonly what: string;
  /** Undefined where it would change nothing. `other` is genuine too, of another event. */
  readonly make: (letter: Genuine, other: Genuine) => Letter | undefined;
  /** Who accepts it all the same; why that does no harm is said beside it. */
  readonly acceptedBy?: readonly VerifierName[];
}

interface Changes {
  readonly body?: (raw: Buffer) => Buffer;
  readonly id?: (id: string) => string | undefined;
  readonly timestamp?: (text: string) => string | undefined;
  /** The MACs of our form and of Standard Webhooks. */
  readonly own?: (text: string) => string | undefined;
  readonly standard?: (text: string) => string | undefined;
}

/** Changes both forms alike; a header that is changed to undefined is left out. */
export function change({ headers, raw }: Letter, changes: Changes): Letter {
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

/** The letter as it would be, had it been signed honestly so many seconds from now. */
export function signedAt({ headers, raw, secret }: Genuine, offsetSeconds: number): Letter {
  const timestamp = Math.floor(Date.now() / 1_000) + offsetSeconds;
  const message = { id: headers['webhook-id'] ?? '', timestamp, body: raw.toString() };
  const signed = Object.entries(signatureHeaders(message, [secret]));
  return {
    headers: Object.fromEntries(signed.map(([name, text]) => [name.toLowerCase(), text])),
    raw,
  };
}

/** With one bit of its body turned. */
export function turned({ headers, raw }: Letter, bit: number): Letter {
  const bytes = Buffer.from(raw);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return { headers, raw: bytes };
}

const shift = (by: number) => (text: string) => String(Number(text) + by);
/** A change of both MACs that knows nothing of their forms. */
const macs = (how: (text: string) => string) => ({ own: how, standard: how });
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');
const firstOwn = (signatures: string) => signatures.split(',')[0] ?? '';
const firstStandard = (signatures: string) => signatures.split(' ')[0] ?? '';

const TIMESTAMPS: [string, (text: string) => string | undefined][] = [
  ['a second earlier', shift(-1)],
  ['a second later', shift(1)],
  ['301 s earlier', shift(-301)],
  ['301 s later', shift(301)],
  ['no number', () => 'now'],
  ['NaN', () => 'NaN'],
  ['empty', () => ''],
  ['missing', () => undefined],
  ['in milliseconds', (seconds) => `${seconds}000`],
  ['negative', (seconds) => `-${seconds}`],
  ['with an exponent', (seconds) => `${seconds[0]}.${seconds.slice(1)}e9`],
  ['in hex', (seconds) => `0x${Number(seconds).toString(16)}`],
];

/** The same number in another spelling: the libraries read it first, and check what they read. */
const SAME_NUMBER: [string, (text: string) => string][] = [
  ['with a zero before it', (seconds) => `0${seconds}`],
  ['with a plus', (seconds) => `+${seconds}`],
  ['with a fraction', (seconds) => `${seconds}.5`],
  ['with letters behind it', (seconds) => `${seconds}x`],
  ['with a space before it', (seconds) => ` ${seconds}`],
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
  what: string,
  changes: Changes,
  acceptedBy: readonly VerifierName[] = [],
): Mutation => ({
  what,
  make: (letter) => changed(letter, change(letter, changes)),
  acceptedBy,
});

/** The MAC of one form where the other belongs. */
function crossed({ headers, raw }: Letter): Letter {
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

/** The last letter of the base64 carries four bits of the MAC, and two that nobody looks at. */
function loose(all: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return all.replaceAll(/(.)=/g, (_, last: string) => `${alphabet[alphabet.indexOf(last) + 1]}=`);
}

export const MUTATIONS: readonly Mutation[] = [
  ...BODIES.map(([what, body]) => mutation(`body ${what}`, { body })),
  ...TIMESTAMPS.map(([what, timestamp]) => mutation(`timestamp ${what}`, { timestamp })),
  ...SAME_NUMBER.map(([what, timestamp]) =>
    mutation(`timestamp ${what}`, { timestamp }, LIBRARIES),
  ),
  ...SIGNATURES.map(([what, changes]) => mutation(`signature ${what}`, changes)),
  // Our form says nothing of the header: the id that it vouches for is the one in the body.
  mutation('id changed', { id: (id) => `${id}0` }, OURS),
  mutation('id empty', { id: () => '' }, OURS),
  mutation('id missing', { id: () => undefined }, OURS),
  {
    what: 'id of another event',
    make: (letter, other) => change(letter, { id: () => other.headers['webhook-id'] }),
    acceptedBy: OURS,
  },
  {
    what: 'signatures of another delivery',
    make: (letter, { headers }) =>
      change(letter, {
        own: () => headers['service-signature'],
        standard: () => headers['webhook-signature'],
      }),
  },
  { what: 'headers of another delivery', make: ({ raw }, { headers }) => ({ headers, raw }) },
  { what: 'body of another delivery', make: ({ headers }, { raw }) => ({ headers, raw }) },
  { what: 'MACs of the other form', make: crossed },
  {
    what: 'signature in the base64 of URLs',
    make: (letter) => withStandard(letter, urlSafe),
  },
  // The same MAC in another spelling.
  { what: 'signature in a base64 with loose ends', make: (letter) => withStandard(letter, loose) },
  // The libraries read the body as text, in which bytes that are none are U+FFFD.
  {
    what: 'body with bytes that are no text instead of U+FFFD',
    make: (letter) => changed(letter, change(letter, { body: untexted })),
    acceptedBy: LIBRARIES,
  },
  // The libraries look at what stands between the first two commas and at nothing after it.
  mutation(
    'signature with something behind it',
    { own: (all) => `${firstOwn(all)}x`, standard: (all) => `${firstStandard(all)},x` },
    LIBRARIES,
  ),
  { what: 'signed 301 s ago', make: (letter) => signedAt(letter, -301) },
  { what: 'signed 301 s ahead', make: (letter) => signedAt(letter, 301) },
];

/** Its first signature of Standard Webhooks alone, changed; undefined when it is the same. */
function withStandard(letter: Letter, how: (text: string) => string): Letter | undefined {
  const alone = change(letter, { own: () => undefined, standard: firstStandard });
  return changed(alone, change(alone, { standard: how }));
}

/** Undefined when nothing has changed. */
function changed(before: Letter, after: Letter): Letter | undefined {
  const isSame =
    before.raw.equals(after.raw) &&
    JSON.stringify(before.headers) === JSON.stringify(after.headers);
  return isSame ? undefined : after;
}
