/** Text for people: tables, colours, relative times, and numbers with their noun. */
import { stripVTControlCharacters } from 'node:util';

const COLOURS = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };
export type Colour = keyof typeof COLOURS;

/** A text, or one with its colour. */
export type Cell = string | readonly [text: string, colour: Colour];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this distance on, a date says more than a number of days. */
const DATED_MS = 60 * DAY_MS;

/** Returns the text in a colour. Colours nothing without a terminal, or if NO_COLOR is set. */
export function paint(text: string, colour: Colour): string {
  // `hasColors` reads NO_COLOR and TERM. Only a terminal has it.
  if (!process.stdout.isTTY || !process.stdout.hasColors()) return text;
  const [on, off] = COLOURS[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Returns the rows in aligned columns below their heads. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [heads.map((head): Cell => [head, 'dim']), ...rows].map((row) =>
    row.map((cell) => {
      const [text, colour] = typeof cell === 'string' ? [cell] : cell;
      return { text: printable(text).replaceAll(/\s+/g, ' '), colour };
    }),
  );
  const widths = heads.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.text.length ?? 0)),
  );
  return cells
    .map((row) => {
      const shown = row.map(({ text, colour }, column) => {
        const padded = column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0);
        return colour === undefined ? padded : paint(padded, colour);
      });
      return shown.join('  ');
    })
    .join('\n');
}

/** Returns the text without what would steer the terminal. Keeps tabs and ends of lines. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\t\n]/gu, '');

/** Returns how long ago the time was, or how soon it is. Returns `-` without one. */
export function relative(time: unknown, nowMs = Date.now()): string {
  if (time === null || time === undefined) return '-';
  const atMs = new Date(time as string | Date).getTime();
  const distanceMs = Math.abs(atMs - nowMs);
  if (distanceMs < SECOND_MS) return 'now';
  if (distanceMs >= DATED_MS) return new Date(atMs).toISOString().slice(0, 10);
  const [unitMs, unit] =
    distanceMs < MINUTE_MS
      ? [SECOND_MS, 's']
      : distanceMs < HOUR_MS
        ? [MINUTE_MS, 'min']
        : distanceMs < 2 * DAY_MS
          ? [HOUR_MS, 'h']
          : [DAY_MS, 'days'];
  const distance = `${Math.floor(distanceMs / unitMs)} ${unit}`;
  return atMs < nowMs ? `${distance} ago` : `in ${distance}`;
}

/** Returns the number with its noun: `1 delivery`, `2 deliveries`. */
export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** Returns one line for each value, with the values in a column. A nested one is `outer.inner`. */
export function toLines(result: object): string {
  const entries = flat(result);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${textOf(value)}`).join('\n');
}

function flat(result: object, before = ''): [name: string, value: unknown][] {
  return Object.entries(result).flatMap(([key, value]): [string, unknown][] => {
    const isNested = Object.prototype.toString.call(value) === '[object Object]';
    return isNested ? flat(value as object, `${before}${key}.`) : [[`${before}${key}`, value]];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return printable(value.join(', '));
  }
  return typeof value === 'string' ? printable(value) : JSON.stringify(value);
}
