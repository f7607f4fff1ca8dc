/** What people may enter for an endpoint; a refusal has the codes of the API's catalogue. */
import { OutboundRefused, parseReceiver, resolveReceiver } from '../outbound/address.ts';
import type { Range } from '../outbound/address.ts';
import { containsCardNumber } from '../domain/cardnumber.ts';
import type { Endpoint, Overlap } from '../domain/endpoint.ts';
import { MAX_URL_LENGTH, OVERLAPS } from '../domain/endpoint.ts';
import { EVENT_TYPES, typesOf } from '../domain/event.ts';
import { endpointById } from '../store/endpoints.ts';
import { Refusal } from './refusal.ts';
import type { Services } from './services.ts';

const MAX_DESCRIPTION = 255;
/** More than the clocks of two machines are apart. */
export const CLOCKS_MS = 60_000;

/** A comma list of event types, `payment.*` or `*`. */
export function checkEvents(list: string, param = 'events'): string[] {
  const events = list.split(',').map((event) => event.trim());
  const unknown = events.find((event) => typesOf(event) === undefined);
  if (unknown === undefined) return events;
  const message = `There is no event type "${unknown}". There are ${EVENT_TYPES.join(', ')}.`;
  throw new Refusal('parameter_invalid', { message, param });
}

export function checkDescription(text: string): string {
  if (text.length > MAX_DESCRIPTION) {
    const message = `A description has at most ${MAX_DESCRIPTION} characters.`;
    throw new Refusal('parameter_invalid', { message, param: 'description' });
  }
  refuseCardNumbers(text, 'description');
  return text;
}

/** Throws `Refusal` if the text seems to contain a card number. */
export function refuseCardNumbers(text: string, param: string): void {
  if (!containsCardNumber(text)) return;
  throw new Refusal('card_number_refused', {
    message: `The ${param} seems to contain a card number.`,
    param,
  });
}

/**
 * Returns the milliseconds for which a replaced key or secret still works. Throws `Refusal` for an
 * unknown overlap.
 */
export function checkOverlap(name: string): number {
  if (Object.hasOwn(OVERLAPS, name)) return OVERLAPS[name as Overlap];
  const names = Object.keys(OVERLAPS).join(', ');
  throw new Refusal('parameter_invalid', {
    message: `The overlap must be one of: ${names}.`,
    param: 'overlap',
  });
}

/** A name that cannot be resolved now may be one day: only what is forbidden is refused. */
export async function checkUrl(text: string, opened: readonly Range[]): Promise<string> {
  if (text.length > MAX_URL_LENGTH) {
    throw new Refusal('url_invalid', {
      message: `A URL has at most ${MAX_URL_LENGTH} characters.`,
      param: 'url',
    });
  }
  refuseCardNumbers(text, 'url');
  try {
    const url = parseReceiver(text);
    await resolveReceiver(url, opened);
    return url.href;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    if (error.code === 'dns_failed') return new URL(text).href;
    throw new Refusal('url_invalid', { message: error.message, param: 'url' });
  }
}

/** The endpoint of that id. Throws `Refusal` when there is none, or it was deleted. */
export async function requireEndpoint(
  { mongo }: Pick<Services, 'mongo'>,
  id: string,
): Promise<Endpoint> {
  const endpoint = await endpointById(mongo, id);
  if (endpoint && endpoint.status !== 'deleted') return endpoint;
  throw new Refusal('resource_missing', {
    message: 'There is no such webhook endpoint.',
    param: 'id',
  });
}

/** The same, when something is to be sent to it now. */
export async function requireEnabled(
  services: Pick<Services, 'mongo'>,
  id: string,
): Promise<Endpoint> {
  const endpoint = await requireEndpoint(services, id);
  if (endpoint.status === 'enabled') return endpoint;
  throw new Refusal('parameter_invalid', {
    message: 'The endpoint is disabled: enable it first.',
    param: 'id',
  });
}
