/** Searches bytes for secrets, in every encoding that a program could use. */

export interface Wanted {
  readonly name: string;
  /** The text as it was shown or typed. */
  readonly text?: string;
  /** The decoded bytes, for a key in base64. */
  readonly bytes?: Buffer;
  /** True if only the whole text counts, as for ids, which can begin alike. */
  readonly isWhole?: boolean;
}

/** The length of a piece of a secret that counts. A shorter match may be chance. */
const PIECE_BYTES = 16;
/** Shorter texts match by chance, so they are not searched inside other texts. */
const MIN_BYTES = 8;
/** Bytes that decide whether a place is searched more closely. */
const PREFIX_BYTES = 3;

/** Returns the names of the secrets in the bytes. */
export type Search = (hay: Buffer) => string[];

interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns the base64 of the bytes at each offset in a longer text, without the mixed edges. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = text.replaceAll('=', '').slice(shift === 0 ? 0 : 4, -2);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Returns the bytes in every encoding. */
function formsOf(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex');
  const texts = [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  return [bytes, ...texts.map((text) => Buffer.from(text))];
}

function needlesOf({ name, text, bytes, isWhole = false }: Wanted): Needle[] {
  const texts =
    text === undefined ? [] : [Buffer.from(text), Buffer.from(encodeURIComponent(text))];
  const whole = bytes === undefined ? texts : [...texts, bytes];
  const forms = whole.flatMap(formsOf).filter(({ length }) => length >= MIN_BYTES);
  return forms.flatMap((form) => {
    const length = isWhole ? form.length : Math.min(PIECE_BYTES, form.length);
    const starts = Array.from({ length: form.length - length + 1 }, (_, start) => start);
    return starts.map((start) => ({ name, bytes: form.subarray(start, start + length) }));
  });
}

const prefixAt = (bytes: Buffer, at: number): number => bytes.readUIntBE(at, PREFIX_BYTES);

/** Creates a search for pieces of 16 bytes. Shorter texts are searched as a whole. */
export function makeSearch(wanted: readonly Wanted[]): Search {
  const byPrefix = new Map<number, Needle[]>();
  const known = new Set<string>();
  for (const needle of wanted.flatMap(needlesOf)) {
    const key = `${needle.name}:${needle.bytes.toString('latin1')}`;
    if (known.has(key)) continue;
    known.add(key);
    const prefix = prefixAt(needle.bytes, 0);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), needle]);
  }
  // One table lookup for each byte, because there are many secrets and large files.
  const isPrefix = new Uint8Array(2 ** (8 * PREFIX_BYTES));
  for (const prefix of byPrefix.keys()) isPrefix[prefix] = 1;

  return (hay) => {
    const found = new Set<string>();
    let window = 0;
    for (let end = 0; end < hay.length; end += 1) {
      window = ((window << 8) | hay[end]!) & (isPrefix.length - 1);
      if (isPrefix[window] === 0) continue;
      const start = end - PREFIX_BYTES + 1;
      if (start < 0) continue;
      for (const { name, bytes } of byPrefix.get(window) ?? []) {
        if (hay.subarray(start, start + bytes.length).equals(bytes)) found.add(name);
      }
    }
    return [...found];
  };
}

/** Creates a search for short texts with no letter or digit next to them. */
export function makeWordSearch(wanted: readonly { name: string; text: string }[]): Search {
  const patterns = wanted.map(({ name, text }) => ({
    name,
    pattern: new RegExp(`(?<![0-9A-Za-z.+/_-])${text}(?![0-9A-Za-z+/=_-])`),
  }));
  return (hay) => {
    const text = hay.toString('latin1');
    return patterns.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
  };
}

/** Returns all texts and bytes in a value at any depth, including names. */
export function bytesOf(value: unknown): Buffer {
  const parts: (string | Uint8Array)[] = [];
  const walk = (each: unknown): void => {
    if (typeof each === 'string') parts.push(each);
    else if (ArrayBuffer.isView(each)) {
      parts.push(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, inner] of Object.entries(each)) {
        parts.push(name);
        walk(inner);
      }
    } else if (typeof each === 'number') parts.push(String(each));
  };
  walk(value);
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(part as string), Buffer.from('\n')]));
}
