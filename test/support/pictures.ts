/** Small pictures: of each format, with parts that nobody needs, and broken ones. */
import { crc32, deflateSync } from 'node:zlib';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Returns a chunk of a PNG: length, name, data, checksum. */
export function pngChunk(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

interface PngOptions {
  width?: number;
  height?: number;
  /** The level of grey, which distinguishes pictures. */
  grey?: number;
  /** Chunks before the pixels. */
  chunks?: readonly Buffer[];
}

/** Returns a grey PNG. */
export function makePng({ width = 96, height = 32, grey = 0, chunks = [] }: PngOptions = {}) {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, grey));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', pixels),
    pngChunk('IEND'),
  ]);
}

/** Returns a segment of a JPEG: marker, length, data. */
export function jpegSegment(marker: number, data: readonly number[] | Buffer): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...data]);
}

const frame = (width: number, height: number): number[] => [
  8,
  height >> 8,
  height & 0xff,
  width >> 8,
  width & 0xff,
  1,
];

/** Returns the outline of a JPEG, whose scan has an escaped byte and a restart. */
export function makeJpeg({ sof = 0xc0, segments = [] as readonly Buffer[] } = {}): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0')),
    ...segments,
    jpegSegment(0xdb, [0]),
    jpegSegment(sof, frame(300, 100)),
    jpegSegment(0xda, [1]),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd3, 0x56, 0xff, 0xd9]),
  ]);
}

/** Returns a chunk of a WebP: name, length, data, and a byte if that is odd. */
export function webpChunk(name: string, data: readonly number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  const padding = Buffer.alloc(data.length % 2);
  return Buffer.concat([Buffer.from(name), length, Buffer.from(data), padding]);
}

/** A picture of 300 × 100 pixels in each of the two codings of WebP. */
export const VP8 = webpChunk('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 0x01, 0x64, 0x00, 1]);
export const VP8L = webpChunk('VP8L', [0x2f, 0x2b, 0xc1, 0x18, 0x00, 1]);
/** The header of an extended WebP of 300 × 100 pixels. */
export const extended = (flags: number): Buffer =>
  webpChunk('VP8X', [flags, 0, 0, 0, 0x2b, 0x01, 0, 0x63, 0, 0]);

/** Returns a WebP of those chunks. */
export function makeWebp(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}
