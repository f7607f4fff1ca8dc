/**
 * Histories as JSON that people can review, with 64-bit numbers as numbers and bytes as text.
 * Temporal's own JSON form needs one protobufjs for all its packages, which npm does not guarantee.
 */

/** The name of a worker: its process id and host. */
const ORIGIN = /^\d+@\S+/;

interface Text {
  $text: string;
}

export function writeHistory(history: object): string {
  return `${JSON.stringify(plain(history), null, 2)}\n`;
}

/** Returns the history in the form that the replaying worker takes. */
export function readHistory(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) =>
    isText(value) ? Buffer.from(value.$text) : value,
  );
}

function isText(value: unknown): value is Text {
  return typeof value === 'object' && value !== null && '$text' in value;
}

function plain(value: unknown): unknown {
  // The worker's name would make every new recording differ.
  if (typeof value === 'string') return value.replace(ORIGIN, 'test');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { $text: Buffer.from(value).toString() } satisfies Text;
  if (Array.isArray(value)) return value.map(plain);
  if ('toNumber' in value) return (value as { toNumber(): number }).toNumber();
  const given = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(given.map(([key, inner]) => [key, plain(inner)]));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
