/** Merchants, each with its first user and its first key. */
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { LOCALES } from '../domain/merchant.ts';
import { makeKey } from '../store/keys.ts';
import { insertMerchant } from '../store/merchants.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { refuseCardNumbers } from './checks.ts';
import { creation } from './keys.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';

const MAX_NAME = 100;
const MAX_EMAIL = 254;
const PASSWORD_BYTES = 15;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Creates a merchant with its first user and a test key. Returns the key and the password, which
 * are shown only once. Throws `Refusal` for invalid values, and for an e-mail address that another
 * user has.
 */
export async function createMerchant(
  services: Pick<Services, 'mongo' | 'actor'>,
  { name, email, locale: wanted }: { name: string; email: string; locale: string },
) {
  if (name.trim() === '' || name.length > MAX_NAME) {
    throw Refusal.ofParam('name', `The name must have 1 to ${MAX_NAME} characters.`);
  }
  refuseCardNumbers(name, 'name');
  if (!EMAIL.test(email) || email.length > MAX_EMAIL) {
    throw Refusal.ofParam('email', 'The e-mail address is not valid.');
  }
  const locale = LOCALES.find((each) => each === wanted);
  if (!locale) {
    throw Refusal.ofParam('locale', 'The locale must be hy, en or ru.', 'locale_unsupported');
  }
  const now = new Date();
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const merchant = { _id: mintId('merchant'), name: name.trim(), locale, created_at: now };
  const user = {
    _id: mintId('user'),
    merchant_id: merchant._id,
    email: email.toLowerCase(),
    password_hash: await hash(password),
    created_at: now,
  };
  const { key, secret } = makeKey(merchant._id, 'test', now);
  const act = {
    action: 'merchant.create',
    objectId: merchant._id,
    merchantId: merchant._id,
    after: { name: merchant.name, locale, user_id: user._id },
  } as const;
  const entries = [entryOf(services, act), entryOf(services, creation(key))];
  try {
    await insertMerchant(services.mongo, { merchant, user, key, entries });
  } catch (error) {
    if (duplicateOf(error) !== 'email') throw error;
    throw Refusal.ofParam('email', 'Another user has this e-mail address.');
  }
  return { merchant_id: merchant._id, test_api_key: secret, dashboard_password: password };
}
