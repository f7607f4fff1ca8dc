import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';
import { OVERLAPS } from '../../domain/endpoint.ts';
import type { Overlap } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { mintId } from '../../store/mint.ts';
import { webhooks } from '../../sdk/index.ts';
import { makeEvent } from '../support/rows/endpoint.ts';
import { openSender, rotated } from './sender.ts';
import type { Sender, Rotation } from './sender.ts';
import { MUTATIONS, change, signedAt, flipped } from './mutations.ts';
import type { GenuineRequest } from './mutations.ts';
import { openReceiver } from '../support/receiver.ts';
import { TEXTS } from './texts.ts';
import { NAMES, acceptors, misjudged } from './verifiers.ts';
import type { SignedRequest, VerifierName } from './verifiers.ts';

/** Of more requests than this, every fifth is changed, which still covers all types and texts. */
const MANY = 100;
const SAMPLED = 5;
/** Bits to flip in each body, except the small one. */
const BITS = 2;
const RUNS = 50;

let sender: Sender;
/** A request with a small body, in which every bit is flipped. */
let small: GenuineRequest;
const plain: GenuineRequest[] = [];
const rotations: Rotation[] = [];

/** All requests are delivered by the activity to a real receiver. */
beforeAll(async () => {
  sender = await openSender('signatures');
  const target = await sender.register();
  // Every type with every text. The receiver refuses every third once.
  plain.push(...(await sender.send(target, sender.eventsFor(target, EVENT_TYPES, TEXTS))));
  const event = makeEvent({ m: target.endpoint.m });
  const body = JSON.stringify({ id: event._id, type: event.type, note: 'é' });
  [small] = (await sender.send(target, [{ ...event, body }])) as [GenuineRequest];
  for (const overlap of Object.keys(OVERLAPS) as Overlap[]) {
    rotations.push(await rotated(sender, overlap));
  }
});
afterAll(async () => sender.close());

const all = (): GenuineRequest[] => [
  ...plain,
  ...rotations.flatMap(({ steps }) => [...steps.before, ...steps.during, ...steps.after]),
];
const idOf = ({ headers }: SignedRequest) => headers['webhook-id'];
/** Returns the next request of another event. */
const otherThan = (
  request: GenuineRequest,
  requests: readonly GenuineRequest[],
  index: number,
): GenuineRequest =>
  requests.slice(index).find((one) => idOf(one) !== idOf(request)) ?? requests[0]!;

function flipBit(bytes: Buffer, bit: number): Buffer {
  return flipped({ headers: {}, raw: bytes }, bit).raw;
}

function flipMacBit(text: string, bit: number, encoding: 'hex' | 'base64'): string {
  const bytes = Buffer.from(text.slice(3), encoding);
  return text.slice(0, 3) + flipBit(bytes, bit).toString(encoding);
}

/** Returns a secret that differs in one bit. */
function withLastBitFlipped(secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `whsec_${flipBit(key, key.length * 8 - 8).toString('base64')}`;
}

/** Fails if a request is accepted by other verifiers than these. */
function expectAcceptedBy(
  names: readonly VerifierName[],
  requests: Parameters<typeof misjudged>[0],
): void {
  expect(misjudged(requests, names)).toEqual([]);
}

describe('a delivery', () => {
  it('is accepted by every verifier, for each event type, text and attempt', () => {
    const requests = all();
    expect(requests.length).toBeGreaterThanOrEqual(300);
    expect(
      new Set(plain.map(({ raw }) => (JSON.parse(raw.toString()) as { type: string }).type)),
    ).toEqual(new Set(EVENT_TYPES));
    const retried = requests.filter(({ headers }) => headers['service-attempt'] === '2');
    expect(retried.length).toBeGreaterThanOrEqual(50);
    expectAcceptedBy(
      NAMES,
      requests.map((one) => [idOf(one)!, one, one.secret]),
    );
  });

  it('is accepted with header names in any case', () => {
    for (const { headers, raw, secret } of all()) {
      for (const recase of [
        (name: string) => name.toUpperCase(),
        (name: string) => name.replaceAll(/(^|-)./g, (part) => part.toUpperCase()),
      ]) {
        const recased = Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [recase(name), text]),
        );
        for (const library of [Webhook, SvixWebhook]) {
          expect(new library(secret).verify(raw, recased)).toHaveProperty('id');
        }
        expect(webhooks.verify(raw, recased, secret)).toHaveProperty('id');
      }
    }
  });

  it('is signed with every valid secret, and with no other', () => {
    for (const { overlap, old, fresh, steps } of rotations) {
      const table = [
        [steps.before, NAMES, []],
        [steps.during, NAMES, NAMES],
        [steps.after, [], NAMES],
      ] as const;
      for (const [requests, byOld, byFresh] of table) {
        const name = `${overlap}, ${requests.length}`;
        expectAcceptedBy(
          byOld,
          requests.map((one) => [name, one, old]),
        );
        expectAcceptedBy(
          byFresh,
          requests.map((one) => [name, one, fresh]),
        );
        const counts = new Set(
          requests.map(({ headers }) => headers['webhook-signature']!.split(' ').length),
        );
        if (requests.length > 0) expect([...counts]).toEqual([requests === steps.during ? 2 : 1]);
      }
      // The number of requests may differ: on a busy machine an event may be sent again.
      const events = (requests: readonly GenuineRequest[]) => new Set(requests.map(idOf)).size;
      expect(events(steps.during)).toBe(overlap === '0' ? 0 : events(steps.before));
    }
  });

  it('is refused with any other secret', () => {
    for (const wrong of [makeWebhookSecret, withLastBitFlipped]) {
      expectAcceptedBy(
        [],
        all().map((one) => [idOf(one)!, one, wrong(one.secret)]),
      );
    }
  });
});

describe('a changed request', () => {
  let unfreeze: () => void;
  beforeAll(() => {
    // A whole second, so that 300 s are exact.
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
    unfreeze = () => clock.mockRestore();
  });
  afterAll(() => unfreeze());

  it.each(MUTATIONS)('is refused: $name', ({ make, acceptedBy = [] }) => {
    const requests = all();
    const possible = requests.flatMap((request, index) => {
      const forged = make(request, otherThan(request, requests, index));
      return forged ? [[idOf(request)!, forged, request.secret] as const] : [];
    });
    // A change that is possible for few requests only is made to all of them.
    const step = possible.length > MANY ? SAMPLED : 1;
    const made = possible.filter((_, index) => index % step === 0);
    expect(made.length).toBeGreaterThanOrEqual(10);
    expectAcceptedBy(acceptedBy, made);
  });

  it('is refused if any bit of its body is flipped', () => {
    const bits = Array.from({ length: small.raw.length * 8 }, (_, bit) => bit);
    const { secret } = small;
    expectAcceptedBy(
      [],
      bits.map((bit) => [`bit ${bit}`, flipped(small, bit), secret]),
    );
    const others = all().flatMap((request) =>
      Array.from({ length: BITS }, () => {
        const bit = Math.floor(Math.random() * request.raw.length * 8);
        return [`${idOf(request)}, bit ${bit}`, flipped(request, bit), request.secret] as const;
      }),
    );
    expectAcceptedBy([], others);
  });

  it('is refused if any bit of its signature is flipped', () => {
    const [request] = plain;
    const forged = Array.from({ length: 256 }, (_, bit) =>
      change(request!, {
        own: (text) => flipMacBit(text, bit, 'hex'),
        standard: (text) => flipMacBit(text, bit, 'base64'),
      }),
    );
    expectAcceptedBy(
      [],
      forged.map((one, bit) => [`bit ${bit}`, one, request!.secret]),
    );
  });

  it.each([-299, 299])('is accepted if only its clock is %i s off', (offset) => {
    expectAcceptedBy(
      NAMES,
      all().map((one) => [idOf(one)!, signedAt(one, offset), one.secret]),
    );
  });
});

describe('any text', () => {
  it('is accepted as it was sent, and refused with one bit flipped', async () => {
    const receiver = await openReceiver();
    const opened = parseRanges(['127.0.0.1/32']);
    const outbound = makeOutbound({ opened, timeoutMs: 5_000 });
    const property = fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.nat(),
      async (note, random) => {
        const id = mintId('event');
        const secret = makeWebhookSecret();
        const body = JSON.stringify({ id, type: 'payment.completed', note });
        const timestamp = Math.floor(Date.now() / 1_000);
        const headers = signatureHeaders({ id, timestamp, body }, [secret]);
        await outbound.post({ url: receiver.url, headers, body });
        const { headers: got, raw } = receiver.requests.at(-1)!;
        const request = { headers: got as Record<string, string>, raw };
        expect(acceptors(request, secret)).toEqual(NAMES);
        expect(acceptors(flipped(request, random % (raw.length * 8)), secret)).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    await Promise.all([outbound.close(), receiver.close()]);
  });
});
