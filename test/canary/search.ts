/** Looks for secrets in bytes of any kind, in every form in which a program could have put them. */

export interface Wanted {
  readonly name: string;
  /** As it was shown or typed. */
  readonly text?: string;
  /** What the text stands for, as with a key in base64. */
  readonly bytes?: Buffer;
  /** Whether pieces of it are nothing: ids that were made together begin alike. */
  readonly isWhole?: boolean;
}

/** Whoever has so much of a random secret has a good part of it; less may be chance. */
const PIECE_BYTES = 16;
/** Whatever is shorter is too easily met by chance to be looked for inside of other texts. */
const MIN_BYTES = 8;
/** Bytes that decide whether a place is looked at more closely. */
const PREFIX_BYTES = 3;

/** Finds the names of what the bytes hold. */
export type Search = (hay: Buffer) => string[];

interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/** As base64 has the bytes wherever in a longer text they begin; its edges belong to neighbours. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = text.replaceAll('=', '').slice(shift === 0 ? 0 : 4, -2);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Every spelling of the bytes. */
function formsOf(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex');
  const texts = [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  return [bytes, ...texts.map((text) => Buffer.from(text))];
}

function needlesOf({ name, text, bytes, isWhole = false }: Wanted): Needle[] {
  const told = text === undefined ? [] : [Buffer.from(text), Buffer.from(encodeURIComponent(text))];
  const whole = bytes === undefined ? told : [...told, bytes];
  const forms = whole.flatMap(formsOf).filter(({ length }) => length >= MIN_BYTES);
  return forms.flatMap((form) => {
    const length = isWhole ? form.length : Math.min(PIECE_BYTES, form.length);
    const starts = Array.from({ length: form.length - length + 1 }, (_, start) => start);
    return starts.map((start) => ({ name, bytes: form.subarray(start, start + length) }));
  });
}

const prefixAt = (bytes: Buffer, at: number): number => bytes.readUIntBE(at, PREFIX_BYTES);

/** A search for pieces of 16 bytes; what is shorter is looked for as a whole. */
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
  // One look at a table for each byte: the needles are many, and the files are large.
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

/** A search for short texts that stand by themselves, with no letter or digit beside them. */
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

/** All texts and bytes in a value, however deep: nothing of it is left out, names neither. */
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
