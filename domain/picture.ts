/**
 * Pictures that people upload. What they are is read from their bytes, never from a name or a
 * header. A picture is kept without its metadata, such as the place where a photo was taken.
 */

export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Returns the picture without its metadata. Returns undefined unless the bytes are exactly one
 * still PNG, JPEG or WebP: other formats, animations, cut files, and files with something after
 * their end.
 */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}

/** The space of a logo on a page, in CSS pixels. */
export const LOGO_BOX = { width: 192, height: 48 };

/** Returns the size of a logo on a page: made smaller to fit, with the same proportions. */
export function logoSize({ width, height }: Pick<Picture, 'width' | 'height'>) {
  const scale = Math.min(1, LOGO_BOX.width / width, LOGO_BOX.height / height);
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

/** Returns an unsigned integer of `size` bytes. Bytes after the end count as 0. */
function big(bytes: Uint8Array, at: number, size: number): number {
  return bytes.subarray(at, at + size).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The same with the lowest byte first. */
function little(bytes: Uint8Array, at: number, size: number): number {
  return bytes.subarray(at, at + size).reduceRight((sum, byte) => sum * 256 + byte, 0);
}

const ascii = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PNG_HEAD = 8;
const PNG_KEPT = new Set('IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP'.split(' '));

/** A head of 8 bytes, then chunks: length, name, data, checksum. `acTL` makes it an animation. */
function readPng(bytes: Uint8Array): Picture | undefined {
  if (big(bytes, 0, 4) !== 0x89504e47 || big(bytes, 4, 4) !== 0x0d0a1a0a) return undefined;
  if (ascii(bytes, PNG_HEAD + 4) !== 'IHDR') return undefined;
  const parts = [bytes.subarray(0, PNG_HEAD)];
  for (let at = PNG_HEAD; at < bytes.length;) {
    const [name, next] = [ascii(bytes, at + 4), at + 12 + big(bytes, at, 4)];
    if (name === 'acTL') return undefined;
    if (PNG_KEPT.has(name)) parts.push(bytes.subarray(at, next));
    if (name === 'IEND') {
      if (next !== bytes.length) return undefined;
      const [width, height] = [big(bytes, 16, 4), big(bytes, 20, 4)];
      return { type: 'image/png', width, height, bytes: join(parts) };
    }
    at = next;
  }
  return undefined;
}

const JPEG_START = 0xd8;
const JPEG_END = 0xd9;
const JPEG_SCAN = 0xda;
/** Baseline, extended and progressive frames, which are those that browsers draw. */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, the restart interval, and the application data that colours depend on. */
const JPEG_KEPT = new Set([...JPEG_FRAMES, 0xc4, 0xdb, 0xdd, JPEG_SCAN, 0xe0, 0xe2, 0xee]);

/** Segments: 0xff, a marker, the length, data. After a scan's header comes data without length. */
function readJpeg(bytes: Uint8Array): Picture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_START) return undefined;
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === JPEG_END) {
      if (at + 2 !== bytes.length || !size) return undefined;
      parts.push(bytes.subarray(at));
      return { type: 'image/jpeg', ...size, bytes: join(parts) };
    }
    let next = at + 2 + Math.max(2, big(bytes, at + 2, 2));
    if (marker === JPEG_SCAN) next = endOfScan(bytes, next);
    if (JPEG_FRAMES.has(marker)) {
      size = { height: big(bytes, at + 5, 2), width: big(bytes, at + 7, 2) };
    }
    if (JPEG_KEPT.has(marker)) parts.push(bytes.subarray(at, next));
    at = next;
  }
  return undefined;
}

const isMarker = (byte: number | undefined): boolean =>
  byte !== undefined && byte !== 0 && (byte < 0xd0 || byte > 0xd7);

/** Returns the place of the next marker. 0xff00 is data, and 0xffd0 to 0xffd7 are restarts. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !(bytes[at] === 0xff && isMarker(bytes[at + 1]))) at += 1;
  return at;
}

const WEBP_HEAD = 12;
const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP']);
/** Bits of the flags in `VP8X`. */
const ANIMATED = 0x02;
const METADATA = 0x0c;

/** `RIFF`, the length, `WEBP`, then chunks: name, length, data, and a byte if that is odd. */
function readWebp(bytes: Uint8Array): Picture | undefined {
  if (ascii(bytes, 0) !== 'RIFF' || ascii(bytes, 8) !== 'WEBP') return undefined;
  if (little(bytes, 4, 4) + 8 !== bytes.length) return undefined;
  const parts = [bytes.subarray(0, WEBP_HEAD)];
  const names: string[] = [];
  let at = WEBP_HEAD;
  while (at < bytes.length) {
    const [name, length] = [ascii(bytes, at), little(bytes, at + 4, 4)];
    const next = at + 8 + length + (length % 2);
    if (name.startsWith('ANI') || name === 'ANMF') return undefined;
    if (WEBP_KEPT.has(name)) {
      names.push(name);
      parts.push(bytes.subarray(at, next));
    }
    at = next;
  }
  const size = sizeOfWebp(bytes.subarray(WEBP_HEAD + 8), names[0]);
  const images = names.filter((name) => name === 'VP8 ' || name === 'VP8L');
  if (at !== bytes.length || !size || images.length !== 1) return undefined;
  const whole = join(parts);
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true);
  if (names[0] === 'VP8X') whole[WEBP_HEAD + 8] = (whole[WEBP_HEAD + 8] ?? 0) & ~METADATA;
  return { type: 'image/webp', ...size, bytes: whole };
}

/** Returns the size from the data of the first chunk, which depends on its kind. */
function sizeOfWebp(data: Uint8Array, name: string | undefined) {
  if (name === 'VP8X' && (big(data, 0, 1) & ANIMATED) === 0) {
    return { width: little(data, 4, 3) + 1, height: little(data, 7, 3) + 1 };
  }
  if (name === 'VP8 ' && big(data, 3, 3) === 0x9d012a) {
    return { width: little(data, 6, 2) & 0x3fff, height: little(data, 8, 2) & 0x3fff };
  }
  if (name === 'VP8L' && data[0] === 0x2f) {
    const bits = little(data, 1, 4);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}
