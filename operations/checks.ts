/** Checks of what people enter. Each throws `Refusal` with a code of the API's catalogue. */
import { OutboundRefused, parseReceiver, resolveReceiver } from '../outbound/address.ts';
import type { Range } from '../outbound/address.ts';
import { containsCardNumber } from '../domain/cardnumber.ts';
import type { Endpoint, Overlap } from '../domain/endpoint.ts';
import { MAX_URL_LENGTH, OVERLAPS } from '../domain/endpoint.ts';
import { EVENT_SELECTORS, EVENT_TYPES, typesOf } from '../domain/event.ts';
import { isId } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { endpointById } from '../store/endpoints.ts';
import { findMerchant } from '../store/merchants.ts';
import { shownName, suggestion } from './names.ts';
import { Refusal, requireFound } from './refusal.ts';
import type { Services } from './services.ts';

const MAX_DESCRIPTION = 255;
const MAX_PAGE_ROWS = 100;
/** The longest difference between the clocks of two machines that is allowed for. */
export const CLOCKS_MS = 60_000;

/** Returns the entries of a comma-separated list: event types, `payment.*` or `*`. */
export function checkEvents(list: string, param = 'events'): string[] {
  const events = list.split(',').map((event) => event.trim());
  const unknown = events.find((event) => typesOf(event) === undefined);
  if (unknown === undefined) return events;
  const shown = shownName(unknown);
  const named = shown === undefined ? 'no such event type' : `no event type "${shown}"`;
  const near = suggestion(unknown, EVENT_SELECTORS);
  const message = `There is ${named}.${near || ` There are ${EVENT_TYPES.join(', ')}.`}`;
  throw Refusal.ofParam(param, message);
}

export function checkDescription(text: string): string {
  if (text.length > MAX_DESCRIPTION) {
    const message = `A description has at most ${MAX_DESCRIPTION} characters.`;
    throw Refusal.ofParam('description', message);
  }
  refuseCardNumbers(text, 'description');
  return text;
}

export function refuseCardNumbers(text: string, param: string): void {
  if (!containsCardNumber(text)) return;
  const message = `The ${param} seems to contain a card number.`;
  throw Refusal.ofParam(param, message, 'card_number_refused');
}

/** Returns the number of milliseconds for which a replaced key or secret still works. */
export function checkOverlap(name: string): number {
  if (Object.hasOwn(OVERLAPS, name)) return OVERLAPS[name as Overlap];
  const names = Object.keys(OVERLAPS).join(', ');
  throw Refusal.ofParam('overlap', `The overlap must be one of: ${names}.`);
}

/** A page of a list, as text from a person. */
export interface PageOptions {
  limit: string;
  /** The id of the last object on the previous page. */
  startingAfter?: string;
}

/** Returns the page's limit as a number. Its cursor must be an id of that kind. */
export function checkPage(kind: IdKind, { limit: text, startingAfter }: PageOptions) {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_ROWS) {
    const message = `limit must be from 1 to ${MAX_PAGE_ROWS}.`;
    throw Refusal.ofParam('limit', message, 'limit_out_of_range');
  }
  if (startingAfter !== undefined && !isId(kind, startingAfter)) {
    const message = 'starting-after is not the id of an object of this list.';
    throw Refusal.ofParam('starting-after', message, 'cursor_invalid');
  }
  return { limit, startingAfter };
}

/**
 * Returns the URL in its normal form. Accepts a host name that cannot be resolved now, because it
 * may be resolved later.
 */
export async function checkUrl(text: string, opened: readonly Range[]): Promise<string> {
  if (text.length > MAX_URL_LENGTH) {
    throw Refusal.ofParam('url', `A URL has at most ${MAX_URL_LENGTH} characters.`, 'url_invalid');
  }
  refuseCardNumbers(text, 'url');
  try {
    const url = parseReceiver(text);
    await resolveReceiver(url, opened);
    return url.href;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    if (error.code === 'dns_failed') return new URL(text).href;
    throw Refusal.ofParam('url', error.message, 'url_invalid');
  }
}

/** Returns the merchant. Throws `Refusal` if it does not exist. */
export async function requireMerchant(
  { mongo }: Pick<Services, 'mongo'>,
  id: string,
): Promise<Merchant> {
  return requireFound(await findMerchant(mongo, id), 'There is no such merchant.', 'merchant');
}

/** Returns the endpoint. Throws `Refusal` if it does not exist or was deleted. */
export async function requireEndpoint(
  { mongo }: Pick<Services, 'mongo'>,
  id: string,
): Promise<Endpoint> {
  const endpoint = await endpointById(mongo, id);
  const active = endpoint?.status === 'deleted' ? null : endpoint;
  return requireFound(active, 'There is no such webhook endpoint.');
}

/** Returns the endpoint, as `requireEndpoint`. Throws `Refusal` if it is disabled. */
export async function requireEnabled(
  services: Pick<Services, 'mongo'>,
  id: string,
): Promise<Endpoint> {
  const endpoint = await requireEndpoint(services, id);
  if (endpoint.status === 'enabled') return endpoint;
  throw Refusal.ofParam('id', 'The endpoint is disabled: enable it first.');
}
