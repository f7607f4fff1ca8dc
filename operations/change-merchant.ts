/** Changing a merchant's settings. */
import {
  isReadable,
  MIN_CONTRAST,
  contrastOf,
  readColour,
  readableShade,
} from '../domain/colour.ts';
import type { Merchant } from '../domain/merchant.ts';
import { MAX_LIFETIME_MS, MIN_LIFETIME_MS } from '../domain/payment.ts';
import { changeMerchant } from '../store/merchants.ts';
import type { MerchantSettings } from '../store/merchants.ts';
import { checkLocale, checkName } from './merchant.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services, Shown } from './services.ts';

/** Settings as texts from a person. Those that are missing stay as they are. */
interface SettingsOptions {
  merchant: string;
  name?: string;
  locale?: string;
  lifetimeMinutes?: string;
  colour?: string;
}

const MINUTE_MS = 60_000;

/** Changes settings, and returns all of them. Throws `Refusal` for values that are not allowed. */
export async function updateMerchant(
  services: Pick<Services, 'mongo' | 'actor'>,
  options: SettingsOptions,
): Promise<Shown> {
  const { merchant: id, name, locale, lifetimeMinutes, colour } = options;
  const set: MerchantSettings = {
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(locale === undefined ? {} : { locale: checkLocale(locale) }),
    ...(lifetimeMinutes === undefined ? {} : { lifetime_ms: checkLifetime(lifetimeMinutes) }),
    ...(colour === undefined ? {} : { colour: checkColour(colour) }),
  };
  const changed = await changeMerchant(services.mongo, id, {
    set,
    compose: (before, after) =>
      entryOf(services, {
        action: 'merchant.update',
        objectId: id,
        merchantId: id,
        before,
        after,
      }),
  });
  return show(requireFound(changed, 'There is no such merchant.', 'merchant'));
}

function checkLifetime(text: string): number {
  const ms = Number(text) * MINUTE_MS;
  const isAllowed = /^\d+$/.test(text) && ms >= MIN_LIFETIME_MS && ms <= MAX_LIFETIME_MS;
  if (isAllowed) return ms;
  const [min, max] = [MIN_LIFETIME_MS, MAX_LIFETIME_MS].map((limit) => limit / MINUTE_MS);
  throw Refusal.ofParam('lifetime', `The lifetime must be ${min} to ${max} whole minutes.`);
}

function checkColour(text: string): string {
  const colour = readColour(text);
  if (colour === undefined) {
    throw Refusal.ofParam('colour', 'Give the colour as # and six hexadecimal digits.');
  }
  if (isReadable(colour)) return colour;
  const contrast = Math.floor(contrastOf(colour) * 10) / 10;
  const message =
    `Text in ${colour} is hard to read: its contrast on the checkout is ${contrast}:1, and ` +
    `${MIN_CONTRAST}:1 is needed. The nearest readable shade is ${readableShade(colour)}.`;
  throw Refusal.ofParam('colour', message);
}

function show({ _id, name, locale, lifetime_ms, colour }: Merchant): Shown {
  return {
    id: _id,
    name,
    locale,
    lifetime_minutes: lifetime_ms === undefined ? null : lifetime_ms / MINUTE_MS,
    colour: colour ?? null,
  };
}
