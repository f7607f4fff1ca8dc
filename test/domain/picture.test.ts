import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { logoSize, readPicture } from '../../domain/picture.ts';
import {
  extended,
  jpegSegment,
  makeJpeg,
  makePng,
  makeWebp,
  pngChunk,
  VP8,
  VP8L,
  webpChunk,
} from '../support/pictures.ts';

const PLACE = Buffer.from('GPS: 40.1792 N, 44.4991 E');
const EXIF = webpChunk('EXIF', [...PLACE]);

const plain = (bytes: Buffer | undefined) => bytes && new Uint8Array(bytes);

describe('readPicture', () => {
  it.each([
    ['a PNG', makePng({ width: 300, height: 100 }), 'image/png'],
    ['a JPEG', makeJpeg(), 'image/jpeg'],
    ['a progressive JPEG', makeJpeg({ sof: 0xc2 }), 'image/jpeg'],
    ['a lossy WebP', makeWebp(VP8), 'image/webp'],
    ['a lossless WebP', makeWebp(VP8L), 'image/webp'],
    ['an extended WebP', makeWebp(extended(0x10), webpChunk('ALPH', [1]), VP8), 'image/webp'],
  ])('reads the type and the size of %s, and keeps its bytes', (_, bytes, type) => {
    const picture = readPicture(bytes);
    expect(picture).toEqual({ type, width: 300, height: 100, bytes: plain(bytes) });
  });

  it.each([
    ['a PNG', makePng({ chunks: [pngChunk('eXIf', PLACE), pngChunk('tEXt', PLACE)] }), makePng()],
    [
      'a JPEG',
      makeJpeg({ segments: [jpegSegment(0xe1, PLACE), jpegSegment(0xfe, PLACE)] }),
      makeJpeg(),
    ],
    ['a WebP', makeWebp(extended(0x0c), VP8, EXIF), makeWebp(extended(0), VP8)],
  ])('removes from %s what tells where it was taken', (_, bytes, without) => {
    expect(bytes.includes(PLACE)).toBe(true);
    expect(readPicture(bytes)?.bytes).toEqual(plain(without));
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from(svg)],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
    ['an animated PNG', makePng({ chunks: [pngChunk('acTL', Buffer.alloc(8))] })],
    ['an animated WebP', makeWebp(extended(0x02), webpChunk('ANIM', [0]), VP8)],
    ['an animated WebP that denies it', makeWebp(extended(0), webpChunk('ANMF', [0]), VP8)],
    ['a PNG with a page after its end', Buffer.concat([makePng(), Buffer.from(svg)])],
    ['a JPEG with a page after its end', Buffer.concat([makeJpeg(), Buffer.from(svg)])],
    ['a WebP with a page after its end', Buffer.concat([makeWebp(VP8), Buffer.from(svg)])],
    ['a page before a PNG', Buffer.concat([Buffer.from(svg), makePng()])],
    ['a lossless JPEG, which browsers do not draw', makeJpeg({ sof: 0xc3 })],
    ['a WebP without a picture', makeWebp(extended(0))],
    ['a WebP with two pictures', makeWebp(VP8, VP8)],
  ])('refuses %s', (_, bytes) => {
    expect(readPicture(bytes)).toBeUndefined();
  });

  it.each([
    ['PNG', makePng()],
    ['JPEG', makeJpeg()],
    ['WebP', makeWebp(extended(0x10), VP8)],
  ])('refuses every beginning of a %s', (_, bytes) => {
    const read = Array.from({ length: bytes.length }, (__, end) =>
      readPicture(bytes.subarray(0, end)),
    );
    expect(read.filter((picture) => picture !== undefined)).toEqual([]);
  });

  it('returns the same picture when it reads its own bytes, whatever was changed', () => {
    const whole = [makePng(), makeJpeg(), makeWebp(extended(0x1c), VP8, EXIF)];
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.constantFrom(...whole), changes, (bytes, changed) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changed) copy[at % copy.length] = byte;
        const picture = readPicture(copy);
        if (picture) expect(readPicture(picture.bytes)).toEqual(picture);
      }),
      { examples: [[whole[0]!, []]] },
    );
  });
});

describe('logoSize', () => {
  it.each([
    [96, 32, { width: 96, height: 32 }],
    [1_920, 320, { width: 192, height: 32 }],
    [100, 200, { width: 24, height: 48 }],
    [2_000, 16, { width: 192, height: 2 }],
    [16, 2_000, { width: 1, height: 48 }],
  ])('fits %i × %i pixels into the space', (width, height, size) => {
    expect(logoSize({ width, height })).toEqual(size);
  });
});
