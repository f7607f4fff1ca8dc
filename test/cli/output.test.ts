import { afterEach, describe, expect, it } from 'vitest';
import { count, paint, printable, relative, table, toLines } from '../../cli/output.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const { isTTY } = process.stdout;
const hasColors = Object.getOwnPropertyDescriptor(process.stdout, 'hasColors');
afterEach(() => {
  Object.assign(process.stdout, { isTTY });
  // A terminal inherits it.
  if (hasColors === undefined) Reflect.deleteProperty(process.stdout, 'hasColors');
});

describe('relative', () => {
  it.each([
    [-500, 'now'],
    [-59_999, '59 s ago'],
    [-60_000, '1 min ago'],
    [-3_599_000, '59 min ago'],
    [2 * 3_600_000, 'in 2 h'],
    [-47 * 3_600_000, '47 h ago'],
    [-48 * 3_600_000, '2 days ago'],
    [-60 * 86_400_000, '2025-12-02'],
  ])('shows a time %d ms away as %s', (distanceMs, text) => {
    expect(relative(new Date(NOW + distanceMs), NOW)).toBe(text);
    expect(relative(new Date(NOW + distanceMs).toISOString(), NOW)).toBe(text);
  });

  it('shows no time as -', () => {
    expect([relative(null), relative(undefined)]).toEqual(['-', '-']);
  });
});

describe('table', () => {
  it('aligns the columns, and ends no line with spaces', () => {
    const text = table(
      ['A', 'LONG', 'ID'],
      [
        ['ab', 'x', 'i1'],
        ['c', ['much longer', 'red'], 'i2'],
      ],
    );
    expect(text.split('\n')).toEqual([
      'A   LONG         ID',
      'ab  x            i1',
      'c   much longer  i2',
    ]);
  });

  it('colours on a terminal that has colours, and keeps the columns', () => {
    Object.assign(process.stdout, { isTTY: true, hasColors: () => true });
    const text = table(['A', 'ID'], [[['ab', 'red'], 'i1']]);
    expect(text.split('\n')[1]).toBe('\u001b[31mab\u001b[39m  i1');
    Object.assign(process.stdout, { hasColors: () => false });
    expect(paint('ab', 'red')).toBe('ab');
  });

  it('lets no value steer the terminal or add a line', () => {
    expect(table(['A'], [['a\u001b[2Jb\nc\u009b1m']])).toBe('A\nab c');
    expect(printable('a\u001b]0;title\u0007b\tc\nd\u0008')).toBe('ab\tc\nd');
  });
});

describe('count', () => {
  it.each([
    [1, 'delivery', '1 delivery'],
    [2, 'delivery', '2 deliveries'],
    [0, 'warning', '0 warnings'],
    [1, 'warning', '1 warning'],
  ])('counts %d %s', (number, noun, text) => {
    expect(count(number, noun)).toBe(text);
  });
});

describe('toLines', () => {
  it('puts the values in a column, nested ones and lists too', () => {
    const at = new Date(NOW);
    const text = toLines({ id: 'we_1', health: { failing_since: null }, events: ['a', 'b'], at });
    expect(text.split('\n')).toEqual([
      'id                    we_1',
      'health.failing_since  -',
      'events                a, b',
      'at                    2026-01-31T12:00:00.000Z',
    ]);
  });
});
