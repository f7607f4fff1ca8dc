/** Merchants, each with its first user. */
import { randomBytes } from 'node:crypto';
import type { Act } from '../domain/audit.ts';
import { LOCALES } from '../domain/merchant.ts';
import type { Locale, Merchant } from '../domain/merchant.ts';
import type { InviteLink, User } from '../domain/user.ts';
import { makeKey } from '../store/keys.ts';
import { insertMerchant } from '../store/merchants.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { refuseCardNumbers } from './checks.ts';
import { creation } from './keys.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';
import { checkEmail, checkPassword, hashPassword } from './team.ts';

const MAX_NAME = 100;
/** Customers see the name. Invisible characters can turn it around or imitate another one. */
const VISIBLE = /^\P{C}+$/u;
const PASSWORD_BYTES = 15;

interface Fields {
  readonly name: string;
  readonly email: string;
  readonly locale: string;
}

/**
 * Creates a merchant with its first user and a test key. Returns the key and the password, which
 * are shown only once. Throws `Refusal` for invalid values, and for an e-mail address that another
 * user has.
 */
export async function createMerchant(
  services: Pick<Services, 'mongo' | 'actor'>,
  fields: Fields,
): Promise<{ merchant_id: string; test_api_key: string; dashboard_password: string }> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const { merchant, user, act } = await compose(fields, password);
  const { key, secret } = makeKey(merchant._id, 'test', merchant.created_at);
  const entries = [entryOf(services, act), entryOf(services, creation(key))];
  await insert(services, { merchant, user, key, entries });
  return { merchant_id: merchant._id, test_api_key: secret, dashboard_password: password };
}

/**
 * Creates a merchant with its owner by a link, and uses the link up. Returns the owner. Throws
 * `Refusal` as `createMerchant`, for a bad password, and if the link was used meanwhile.
 */
export async function createOwnedMerchant(
  services: Pick<Services, 'mongo'>,
  invite: InviteLink,
  { password, ...fields }: Fields & { readonly password: string },
): Promise<User> {
  const { merchant, user, act } = await compose(fields, checkPassword(password), invite);
  const actor = { type: 'user', name: user._id } as const;
  const entries = [entryOf({ actor }, act)];
  if (await insert(services, { merchant, user, invite, entries })) return user;
  throw new Refusal('resource_missing', { message: 'The link has been used already.' });
}

/** Returns a merchant's name without spaces around it. */
export function checkName(name: string): string {
  const shown = name.trim();
  if (shown.length > MAX_NAME || !VISIBLE.test(shown)) {
    throw Refusal.ofParam('name', `The name must have 1 to ${MAX_NAME} visible characters.`);
  }
  refuseCardNumbers(shown, 'name');
  return shown;
}

/** Returns the checkout language of that name. */
export function checkLocale(name: string): Locale {
  const locale = LOCALES.find((each) => each === name);
  if (locale) return locale;
  throw Refusal.ofParam('locale', 'The locale must be hy, en or ru.', 'locale_unsupported');
}

async function compose(
  { name, email, locale: wanted }: Fields,
  password: string,
  { new_merchant_id: id = mintId('merchant') }: Pick<InviteLink, 'new_merchant_id'> = {},
) {
  const shown = checkName(name);
  const address = checkEmail(email);
  const locale = checkLocale(wanted);
  const created_at = new Date();
  const merchant: Merchant = { _id: id, name: shown, locale, created_at };
  const user: User = {
    _id: mintId('user'),
    merchant_id: merchant._id,
    email: address,
    password_hash: await hashPassword(password),
    role: 'owner',
    created_at,
  };
  const act: Act = {
    action: 'merchant.create',
    objectId: merchant._id,
    merchantId: merchant._id,
    after: { name: merchant.name, locale, user_id: user._id },
  };
  return { merchant, user, act };
}

async function insert(
  { mongo }: Pick<Services, 'mongo'>,
  made: Parameters<typeof insertMerchant>[1],
): Promise<boolean> {
  try {
    return await insertMerchant(mongo, made);
  } catch (error) {
    if (duplicateOf(error) !== 'email') throw error;
    throw Refusal.ofParam('email', 'Another user has this e-mail address.');
  }
}
