/** CSV by RFC 4180, in UTF-8 with a byte order mark, so that spreadsheets read every alphabet. */
import { stringify } from 'csv-stringify/sync';
import type { DeliveryLine } from './columns.ts';
import { DELIVERY_COLUMNS, PAYMENT_COLUMNS, REFUND_COLUMNS, cellsOf } from './columns.ts';
import type { Mongo } from '../../store/mongo.ts';
import { readAll } from '../../store/page.ts';
import { eventTypesOf } from '../../store/events.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { ExportName, ExportQuery } from './query.ts';

const BOM = '\uFEFF';
/** The large parts of attempts, which are not in the file. */
const UNREAD_ATTEMPTS = {
  'attempts.request': 0,
  'attempts.response': 0,
  'attempts.timings': 0,
} as const;

/** Yields the file in pieces: the header, then the rows of one batch after the other. */
export async function* exportCsv(
  mongo: Mongo,
  name: ExportName,
  query: ExportQuery,
): AsyncGenerator<string, void, undefined> {
  if (name === 'payments') {
    yield BOM + csvOf([Object.keys(PAYMENT_COLUMNS)]);
    for await (const rows of readAll(mongo.payments, query)) {
      yield csvOf(rows.map((row) => cellsOf(PAYMENT_COLUMNS, row)));
    }
  } else if (name === 'refunds') {
    yield BOM + csvOf([Object.keys(REFUND_COLUMNS)]);
    for await (const rows of readAll(mongo.refunds, query)) {
      yield csvOf(rows.map((row) => cellsOf(REFUND_COLUMNS, row)));
    }
  } else {
    yield BOM + csvOf([Object.keys(DELIVERY_COLUMNS)]);
    const pages = readAll(mongo.deliveries, { ...query, unread: UNREAD_ATTEMPTS });
    for await (const rows of pages) {
      const lines = await linesOf(mongo, rows);
      yield csvOf(lines.map((line) => cellsOf(DELIVERY_COLUMNS, line)));
    }
  }
}

/** Returns the deliveries with the types of their events. */
async function linesOf(mongo: Mongo, rows: readonly Delivery[]): Promise<DeliveryLine[]> {
  const events = await eventTypesOf(
    mongo,
    rows.map(({ event_id: id }) => id),
  );
  return rows.map((delivery) => ({ delivery, event: events.get(delivery.event_id) }));
}

/**
 * The place in a text where a spreadsheet would begin a formula, if semicolons or tabs separate its
 * cells, as where the comma is in decimals. It reads our quotes as text then, and breaks lines.
 * Looks back only from the sign of a formula, so that long spaces cost no time.
 */
const LATER_FORMULA = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s"']*)/g;

/**
 * Returns the rows as CSV. A text that a spreadsheet would take as a formula gets an apostrophe in
 * front, and so does a part of it after a separator. Numbers stay as they are.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  // The package takes its arrays as mutable, and changes none.
  return stringify(rows as (string | number | null)[][], {
    escape_formulas: true,
    cast: { string: (text) => text.replaceAll(LATER_FORMULA, "'") },
    record_delimiter: 'windows',
    // Also quotes CR and LF alone, which most readers take as the end of a line.
    quote_record_delimiter: true,
  });
}
