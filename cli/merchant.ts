/** `tollgate merchant create` */
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { LOCALES } from '../domain/payment.ts';
import type { Locale } from '../domain/payment.ts';
import { creation } from '../operations/keys.ts';
import { makeKey } from '../store/keys.ts';
import { insertMerchant } from '../store/merchants.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { refuseCardNumbers } from '../operations/checks.ts';
import { Refusal } from '../operations/refusal.ts';
import { entryOf } from '../operations/services.ts';
import type { Services } from '../operations/services.ts';

const MAX_NAME = 100;
const MAX_EMAIL = 254;
const PASSWORD_BYTES = 15;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface CreatedMerchant extends Record<string, unknown> {
  merchant_id: string;
  /** Shown this one time. */
  test_api_key: string;
  /** Shown this one time. */
  dashboard_password: string;
}

/** Makes a merchant, its first user and a test key. Throws `Refusal` for bad or taken values. */
export async function createMerchant(
  services: Pick<Services, 'mongo' | 'actor'>,
  options: { name: string; email: string; locale: string },
): Promise<CreatedMerchant> {
  const { name, email, locale } = options;
  if (name.trim() === '' || name.length > MAX_NAME) {
    throw new Refusal('parameter_invalid', {
      message: `The name must have 1 to ${MAX_NAME} characters.`,
      param: 'name',
    });
  }
  refuseCardNumbers(name, 'name');
  if (!EMAIL.test(email) || email.length > MAX_EMAIL) {
    throw new Refusal('parameter_invalid', {
      message: 'The e-mail address is not one.',
      param: 'email',
    });
  }
  if (!isLocale(locale)) {
    throw new Refusal('locale_unsupported', {
      message: 'The locale must be hy, en or ru.',
      param: 'locale',
    });
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
    throw new Refusal('parameter_invalid', {
      message: 'Another user has this e-mail address.',
      param: 'email',
    });
  }
  return { merchant_id: merchant._id, test_api_key: secret, dashboard_password: password };
}

function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text);
}
