/** A merchant's logo: the picture on the checkout page. */
import { createHash } from 'node:crypto';
import type { Logo } from '../domain/merchant.ts';
import { readPicture } from '../domain/picture.ts';
import type { Picture } from '../domain/picture.ts';
import * as store from '../store/logos.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';

/** A logo of this size is sharp on every screen, and a checkout page with it is still small. */
export const MAX_LOGO_KIB = 64;
/** The longest side, in pixels. Browsers need four bytes of memory for each pixel. */
export const MAX_LOGO_SIDE = 2_000;
const MIN_LOGO_SIDE = 16;

/**
 * Makes the picture in `file` the merchant's logo. Throws `Refusal` for a file that is too large,
 * that is no still PNG, JPEG or WebP, or whose sides are too short or too long.
 */
export async function setLogo(
  services: Pick<Services, 'mongo' | 'actor'>,
  { merchant, file }: { merchant: string; file: Uint8Array },
): Promise<void> {
  const { bytes, ...shape } = checkPicture(file);
  const hash = createHash('sha256').update(merchant).update('\0').update(bytes);
  const logo = { id: hash.digest('hex'), ...shape };
  await change(services, merchant, { logo, bytes });
}

/** Removes the merchant's logo, if it has one. */
export async function removeLogo(
  services: Pick<Services, 'mongo' | 'actor'>,
  { merchant }: { merchant: string },
): Promise<void> {
  await change(services, merchant, null);
}

async function change(
  services: Pick<Services, 'mongo' | 'actor'>,
  merchantId: string,
  next: { logo: Logo; bytes: Uint8Array } | null,
): Promise<void> {
  const changed = await store.changeLogo(services.mongo, merchantId, {
    next,
    compose: (before) =>
      entryOf(services, {
        action: 'merchant.update',
        objectId: merchantId,
        merchantId,
        before: { logo: before ?? null },
        after: { logo: next?.logo ?? null },
      }),
  });
  requireFound(changed, 'There is no such merchant.', 'merchant');
}

const refuse = (message: string) => Refusal.ofParam('logo', message);

function checkPicture(file: Uint8Array): Picture {
  if (file.length === 0) throw refuse('Choose a file.');
  if (file.length > MAX_LOGO_KIB * 1_024) {
    throw refuse(`The picture must have at most ${MAX_LOGO_KIB} KiB.`);
  }
  const picture = readPicture(file);
  if (!picture) throw refuse('The file must be a PNG, JPEG or WebP picture without animation.');
  const sides = [picture.width, picture.height];
  if (sides.every((side) => side >= MIN_LOGO_SIDE && side <= MAX_LOGO_SIDE)) return picture;
  throw refuse(`Each side must have ${MIN_LOGO_SIDE} to ${MAX_LOGO_SIDE} pixels.`);
}
