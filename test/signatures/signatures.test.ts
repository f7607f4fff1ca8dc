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
import { openPost, rotated } from './postoffice.ts';
import type { Post, Rotation } from './postoffice.ts';
import { MUTATIONS, change, signedAt, turned } from './mutations.ts';
import type { Genuine } from './mutations.ts';
import { openReceiver } from '../support/receiver.ts';
import { TEXTS } from './texts.ts';
import { NAMES, acceptors, wrongly } from './verifiers.ts';
import type { Letter } from './verifiers.ts';

/** Of more letters than this, every so manieth is mutated, which takes from all types and texts. */
const MANY = 100;
const SAMPLED = 5;
/** Single bits of each body that are turned, apart from the one of which every bit is. */
const BITS = 2;
const RUNS = 50;

let post: Post;
/** Of which every bit is turned. */
let small: Genuine;
const plain: Genuine[] = [];
const rotations: Rotation[] = [];

/** Everything is delivered by the activity itself, and kept as a real receiver got it. */
beforeAll(async () => {
  post = await openPost('signatures');
  const box = await post.register();
  // Every type with every text; each third is refused once, and sent again.
  plain.push(...(await post.send(box, post.eventsFor(box, EVENT_TYPES, TEXTS))));
  const event = makeEvent({ m: box.endpoint.m });
  const body = JSON.stringify({ id: event._id, type: event.type, note: 'é' });
  [small] = (await post.send(box, [{ ...event, body }])) as [Genuine];
  for (const overlap of Object.keys(OVERLAPS) as Overlap[]) {
    rotations.push(await rotated(post, overlap));
  }
});
afterAll(async () => post.close());

const all = (): Genuine[] => [
  ...plain,
  ...rotations.flatMap(({ steps }) => [...steps.before, ...steps.during, ...steps.after]),
];
const idOf = ({ headers }: Letter) => headers['webhook-id'];
/** The next one of another event. */
const otherThan = (letter: Genuine, letters: readonly Genuine[], index: number): Genuine =>
  letters.slice(index).find((one) => idOf(one) !== idOf(letter)) ?? letters[0]!;

function turnedBit(bytes: Buffer, bit: number): Buffer {
  return turned({ headers: {}, raw: bytes }, bit).raw;
}

function turnedMac(text: string, bit: number, encoding: 'hex' | 'base64'): string {
  const bytes = Buffer.from(text.slice(3), encoding);
  return text.slice(0, 3) + turnedBit(bytes, bit).toString(encoding);
}

/** A secret that differs in its last bit. */
function near(secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `whsec_${turnedBit(key, key.length * 8 - 8).toString('base64')}`;
}

describe('a delivery', () => {
  it('is genuine to everybody, whatever its event, its text and its attempt', () => {
    const letters = all();
    expect(letters.length).toBeGreaterThanOrEqual(300);
    expect(
      new Set(plain.map(({ raw }) => (JSON.parse(raw.toString()) as { type: string }).type)),
    ).toEqual(new Set(EVENT_TYPES));
    const retried = letters.filter(({ headers }) => headers['service-attempt'] === '2');
    expect(retried.length).toBeGreaterThanOrEqual(50);
    expect(
      wrongly(
        letters.map((one) => [idOf(one)!, one, one.secret]),
        NAMES,
      ),
    ).toEqual([]);
  });

  it('is genuine whatever the case of its headers is', () => {
    for (const { headers, raw, secret } of all()) {
      for (const spell of [
        (name: string) => name.toUpperCase(),
        (name: string) => name.replaceAll(/(^|-)./g, (part) => part.toUpperCase()),
      ]) {
        const spelled = Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [spell(name), text]),
        );
        for (const library of [Webhook, SvixWebhook]) {
          expect(new library(secret).verify(raw, spelled)).toHaveProperty('id');
        }
        expect(webhooks.verify(raw, spelled, secret)).toHaveProperty('id');
      }
    }
  });

  it('is signed with every secret that is live, and with no other', () => {
    for (const { overlap, old, fresh, steps } of rotations) {
      const table = [
        [steps.before, NAMES, []],
        [steps.during, NAMES, NAMES],
        [steps.after, [], NAMES],
      ] as const;
      for (const [letters, byOld, byFresh] of table) {
        const what = `${overlap}, ${letters.length}`;
        expect(
          wrongly(
            letters.map((one) => [what, one, old]),
            byOld,
          ),
        ).toEqual([]);
        expect(
          wrongly(
            letters.map((one) => [what, one, fresh]),
            byFresh,
          ),
        ).toEqual([]);
        const counts = new Set(
          letters.map(({ headers }) => headers['webhook-signature']!.split(' ').length),
        );
        if (letters.length > 0) expect([...counts]).toEqual([letters === steps.during ? 2 : 1]);
      }
      // Of events, not of letters: on a busy machine one may have been sent once more.
      const events = (letters: readonly Genuine[]) => new Set(letters.map(idOf)).size;
      expect(events(steps.during)).toBe(overlap === '0' ? 0 : events(steps.before));
    }
  });

  it('is genuine with no secret but its own', () => {
    for (const wrong of [makeWebhookSecret, near]) {
      expect(
        wrongly(
          all().map((one) => [idOf(one)!, one, wrong(one.secret)]),
          [],
        ),
      ).toEqual([]);
    }
  });
});

describe('what was changed on its way', () => {
  let unfreeze: () => void;
  beforeAll(() => {
    // To the second, so that 300 s are neither a moment more nor less.
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
    unfreeze = () => clock.mockRestore();
  });
  afterAll(() => unfreeze());

  it.each(MUTATIONS)('is refused: $what', ({ make, acceptedBy = [] }) => {
    const letters = all();
    const possible = letters.flatMap((letter, index) => {
      const forged = make(letter, otherThan(letter, letters, index));
      return forged ? [[idOf(letter)!, forged, letter.secret] as const] : [];
    });
    // What can be done to a few letters alone is done to all of these.
    const step = possible.length > MANY ? SAMPLED : 1;
    const made = possible.filter((_, index) => index % step === 0);
    expect(made.length).toBeGreaterThanOrEqual(10);
    expect(wrongly(made, acceptedBy)).toEqual([]);
  });

  it('is refused whichever bit of a body was turned', () => {
    const bits = Array.from({ length: small.raw.length * 8 }, (_, bit) => bit);
    const { secret } = small;
    expect(
      wrongly(
        bits.map((bit) => [`bit ${bit}`, turned(small, bit), secret]),
        [],
      ),
    ).toEqual([]);
    const others = all().flatMap((letter) =>
      Array.from({ length: BITS }, () => {
        const bit = Math.floor(Math.random() * letter.raw.length * 8);
        return [`${idOf(letter)}, bit ${bit}`, turned(letter, bit), letter.secret] as const;
      }),
    );
    expect(wrongly(others, [])).toEqual([]);
  });

  it('is refused whichever bit of a signature was turned', () => {
    const [letter] = plain;
    const forged = Array.from({ length: 256 }, (_, bit) =>
      change(letter!, {
        own: (text) => turnedMac(text, bit, 'hex'),
        standard: (text) => turnedMac(text, bit, 'base64'),
      }),
    );
    expect(
      wrongly(
        forged.map((one, bit) => [`bit ${bit}`, one, letter!.secret]),
        [],
      ),
    ).toEqual([]);
  });

  it.each([-299, 299])('is no reason to refuse an honest clock that is %i s off', (offset) => {
    expect(
      wrongly(
        all().map((one) => [idOf(one)!, signedAt(one, offset), one.secret]),
        NAMES,
      ),
    ).toEqual([]);
  });
});

describe('any text at all', () => {
  it('is genuine as it was sent, and not with a bit of it turned', async () => {
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
        const letter = { headers: got as Record<string, string>, raw };
        expect(acceptors(letter, secret)).toEqual(NAMES);
        expect(acceptors(turned(letter, random % (raw.length * 8)), secret)).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    await Promise.all([outbound.close(), receiver.close()]);
  });
});
