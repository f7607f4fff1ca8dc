/** Reads what a request sends: its body and its `Idempotency-Key`. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { containsWrittenCardNumber } from '../domain/cardnumber.ts';
import { Refusal } from '../operations/refusal.ts';
import { parseObject } from './json.ts';
import type { Decimals } from './json.ts';

/** The largest body we read: the largest valid payment needs about half of it. */
export const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?;?$/i;

export interface Body {
  readonly body: Readonly<Record<string, unknown>>;
  readonly decimals: Decimals;
}

export const NO_BODY: Body = { body: {}, decimals: new Map() };

/**
 * Returns the JSON object in the body, or an empty object if there is no body. Leaves out nulls at
 * the top level, because `null` means absent, unless the call keeps them. Parses the body after
 * `receives` resolves.
 */
export async function readBody(
  req: IncomingMessage,
  receives: (bytes: number) => Promise<void>,
  keepsNulls = false,
): Promise<Body> {
  if (!hasBody(req)) return NO_BODY;
  checkType(req);
  const bytes = await readBytes(req);
  await receives(bytes.length);
  const { value, decimals } = parseObject(bytes);
  if (keepsNulls) return { body: value, decimals };
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return { body: Object.fromEntries(entries), decimals };
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return (headers['content-length'] ?? '0') !== '0';
}

function checkType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (JSON_TYPE.test(headers['content-type'] ?? '') && encoding === 'identity') return;
  throw new Refusal('content_type_unsupported');
}

/** Counts bytes while reading, because Content-Length can be missing or wrong. */
async function readBytes(req: IncomingMessage): Promise<Buffer> {
  try {
    const length = req.headers['content-length'] ?? null;
    return await getRawBody(req, { limit: MAX_BODY_BYTES, length });
  } catch (error) {
    throw refusalOf((error as { type?: unknown }).type) ?? error;
  }
}

function refusalOf(type: unknown): Refusal | undefined {
  switch (type) {
    case 'entity.too.large':
      // The rest of the body is not read, so the connection cannot carry another request.
      return new Refusal('body_too_large', { headers: { Connection: 'close' } });
    case 'request.aborted':
      return new Refusal('request_timeout');
    case 'request.size.invalid':
      return new Refusal('json_invalid');
    default:
      return undefined;
  }
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the key that was sent, or undefined. Refuses a key that is not 1 to 255 visible ASCII
 * characters, or that contains a card number in groups. Plain digits are allowed, as in `order_id`.
 */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !KEY_FORM.test(header)) {
    throw new Refusal('idempotency_key_invalid');
  }
  if (!containsWrittenCardNumber(header)) return header;
  const message = 'Idempotency-Key seems to contain a card number; never send card data here.';
  throw new Refusal('card_number_refused', { message });
}
