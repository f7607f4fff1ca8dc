/** What may have been put together before it was signed: the parts, their order, id and time. */
import { FORM_NAMES } from './forms.ts';
import type { Form } from './forms.ts';

export interface Mistake {
  readonly code: string;
  readonly says: string;
}

/** One way of doing a part of it; without a mistake it is the right one. */
export interface Way<T> {
  readonly value: T;
  readonly mistakes: readonly Mistake[];
  /** Of this way and what it is tried with. */
  readonly maxMistakes?: number | undefined;
}

type PartName = 'id' | 'timestamp' | 'body';
/** The parts by name, with what stands between them. */
export type Layout = readonly (PartName | '.' | ':' | '_' | '-' | '|' | ',' | ' ' | '\n')[];

export const isName = (part: Layout[number]): part is PartName => part.length > 1;

/** A timestamp of a header that was given, and not the one that is looked at. */
export interface GivenTime {
  readonly timestamp: string;
  /** Of the header. */
  readonly name: string;
}

/** What is signed but for the body. */
export interface Head {
  readonly layout: Layout;
  readonly id: string;
  readonly timestamp: string;
}

interface Known {
  readonly id: string;
  readonly timestamp: string;
  readonly givenTimes: readonly GivenTime[];
}

/** Where a part was missing, little else is wrong, and there are many words for nothing. */
const MAX_MISTAKES_WITH_WORDS = 2;

/** Each layout with each id and time that it has a place for. */
export function headWays(form: Form, { id, timestamp, givenTimes }: Known): Way<Head>[] {
  const times = timeWays(timestamp, givenTimes);
  const ids = form === 'standard' ? idWays(id) : [{ value: id, mistakes: [] }];
  const has = (way: Way<Layout>, name: PartName, { mistakes }: Way<string>): boolean =>
    mistakes.length === 0 || way.value.includes(name);
  return layoutWays(form).flatMap((layout) =>
    times
      .filter((time) => has(layout, 'timestamp', time))
      .flatMap((time) =>
        ids
          .filter((each) => has(layout, 'id', each))
          .map((each) => ({
            value: { layout: layout.value, id: each.value, timestamp: time.value },
            mistakes: [...layout.mistakes, ...each.mistakes, ...time.mistakes],
            maxMistakes: time.maxMistakes ?? each.maxMistakes,
          })),
      ),
  );
}

const SEPARATORS = [':', '_', '-', '|', ',', ' ', '\n'] as const;
const LAYOUT_OF = {
  service: ['timestamp', '.', 'body'],
  standard: ['id', '.', 'timestamp', '.', 'body'],
} as const satisfies Record<Form, Layout>;

function layoutWays(form: Form): Way<Layout>[] {
  const right = LAYOUT_OF[form];
  const mistake = (code: string, how: string): Mistake => {
    const wanted = right.map((part) => (part === '.' ? '"."' : part)).join(' + ');
    return { code, says: `The message of ${FORM_NAMES[form]} is ${wanted}; ${how}.` };
  };
  const separator = (how: string): Mistake => mistake('separator', how);
  const missing = mistake('timestamp_missing', 'the timestamp was left out');
  const noId = mistake('id_missing', 'the id was left out');
  const tooMuch = mistake('id_extra', 'the id was put before it');
  const order = mistake('order', 'the parts were in another order');
  const isStandard = form === 'standard';
  const swapped: Layout = isStandard
    ? ['timestamp', '.', 'id', '.', 'body']
    : ['body', '.', 'timestamp'];
  return [
    { value: right, mistakes: [] },
    { value: ['body'], mistakes: isStandard ? [missing, noId] : [missing] },
    { value: ['id', '.', 'body'], mistakes: isStandard ? [missing] : [missing, tooMuch] },
    isStandard
      ? { value: LAYOUT_OF.service, mistakes: [noId] }
      : { value: LAYOUT_OF.standard, mistakes: [tooMuch] },
    { value: swapped, mistakes: [order] },
    {
      value: right.filter((part) => part !== '.'),
      mistakes: [separator('nothing stood between its parts')],
    },
    ...SEPARATORS.map((other) => ({
      value: right.map((part) => (part === '.' ? other : part)),
      mistakes: [separator(`${JSON.stringify(other)} stood in place of "."`)],
    })),
  ];
}

/** What languages put into a text for what is not there. */
export const NOTHING = ['', 'undefined', 'null', 'None', 'nil'] as const;

function nothing(code: string, what: string, word: string): Way<string> {
  const stood = word === '' ? 'nothing' : word;
  const says =
    `The ${what} was missing: ${stood} stood in its place. Look at how the header is read; ` +
    'many frameworks have the names of headers in small letters.';
  return { value: word, mistakes: [{ code, says }], maxMistakes: MAX_MISTAKES_WITH_WORDS };
}

function idWays(id: string): Way<string>[] {
  const words = NOTHING.map((word) => nothing('id_missing', 'id', word));
  return [{ value: id, mistakes: [] }, ...words];
}

/** 13 digits are milliseconds until the year 2286. */
const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{9,11}$/;

function timeWays(timestamp: string, givenTimes: readonly GivenTime[]): Way<string>[] {
  const right = { value: timestamp, mistakes: [] };
  const given = givenTimes.map(({ timestamp: value, name }) => {
    const says =
      `It was made with ${value}, the time of the header ${name} that you gave, and not with ` +
      `${timestamp}: each request is signed at its own time.`;
    return { value, mistakes: [{ code: 'timestamp_given', says }] };
  });
  // What cannot be read as a number becomes one of these two.
  const missing = [...NOTHING, 'NaN', '0'].map((word) =>
    nothing('timestamp_missing', 'timestamp', word),
  );
  return [right, ...given, ...otherwiseWritten(timestamp), ...missing];
}

function otherwiseWritten(timestamp: string): Way<string>[] {
  const says = 'The timestamp was in milliseconds: take the header as it is, in whole seconds.';
  const inMs = { code: 'timestamp_ms', says };
  const iso = {
    code: 'timestamp_text',
    says: 'The timestamp was written as a date: take the header as it is, in whole seconds.',
  };
  if (MILLISECONDS.test(timestamp)) return [{ value: timestamp.slice(0, -3), mistakes: [inMs] }];
  if (!SECONDS.test(timestamp)) return [];
  const date = new Date(Number(timestamp) * 1_000).toISOString();
  return [
    { value: `${timestamp}000`, mistakes: [inMs] },
    { value: date, mistakes: [iso] },
    { value: date.replace('.000Z', 'Z'), mistakes: [iso] },
  ];
}
