/**
 * The fonts of pages: small parts of Noto Sans. Many systems have no sign for the dram or the lari,
 * and show a box in its place.
 */

type Range = readonly [first: number, last: number];

interface Font {
  readonly family: string;
  /** The file within the packages of `@fontsource-variable`. */
  readonly source: string;
  readonly ranges: readonly Range[];
}

/** The family of signs stands before the system's fonts, so that they look the same everywhere. */
const SIGNS = 'Tollgate Signs';
/** The family of letters stands last. Browsers load it only for letters that the system lacks. */
const LETTERS = 'Tollgate Letters';

const ARMENIAN = 'noto-sans-armenian/files/noto-sans-armenian-armenian-wght-normal.woff2';
const sans = (part: string) => `noto-sans/files/noto-sans-${part}-wght-normal.woff2`;

export const FONTS = {
  'dram.woff2': { family: SIGNS, source: ARMENIAN, ranges: [[0x58f, 0x58f]] },
  'signs.woff2': { family: SIGNS, source: sans('latin-ext'), ranges: [[0x20bd, 0x20be]] },
  'armenian.woff2': { family: LETTERS, source: ARMENIAN, ranges: [[0x531, 0x58a]] },
  'cyrillic.woff2': {
    family: LETTERS,
    source: sans('cyrillic'),
    ranges: [
      [0x401, 0x401],
      [0x410, 0x44f],
      [0x451, 0x451],
      [0x2116, 0x2116],
    ],
  },
  'latin.woff2': {
    family: LETTERS,
    source: sans('latin'),
    ranges: [
      [0x20, 0x7e],
      [0xa0, 0xff],
      [0x2013, 0x2026],
      [0x20ac, 0x20ac],
    ],
  },
} as const satisfies Record<string, Font>;

export type FontName = keyof typeof FONTS;
export const FONT_NAMES = Object.keys(FONTS) as FontName[];

/** The weights of text and of headings. The fonts have all between them. */
export const WEIGHTS = { min: 400, max: 700 } as const;

/** Returns every character of a font. */
export function charactersOf(name: FontName): string {
  const codes = FONTS[name].ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  return String.fromCodePoint(...codes);
}

/** Returns the fonts that have a sign of that amount. Pages preload them. */
export function signFontsOf(amount: string): FontName[] {
  const signs = FONT_NAMES.filter((name) => FONTS[name].family === SIGNS);
  return signs.filter((name) =>
    Array.from(charactersOf(name)).some((sign) => amount.includes(sign)),
  );
}

/** Returns the rules of a style sheet. `addressOf` takes a font, and may be relative to the sheet. */
export function fontRules(addressOf: (name: FontName) => string): string {
  const rules = FONT_NAMES.map((name) => {
    const { family, ranges } = FONTS[name];
    // A sign must not appear as a box first. Letters may change when their font comes.
    const display = family === SIGNS ? 'block' : 'swap';
    return [
      '@font-face {',
      `  font-family: '${family}';`,
      `  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};`,
      `  font-display: ${display};`,
      `  src: url('${addressOf(name)}') format('woff2');`,
      `  unicode-range: ${ranges.map(rangeInCss).join(', ')};`,
      '}\n',
    ].join('\n');
  });
  return rules.join('');
}

function rangeInCss([first, last]: Range): string {
  const end = last === first ? '' : `-${last.toString(16)}`;
  return `U+${first.toString(16)}${end}`;
}
