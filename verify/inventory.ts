/** The scripts, style sheets and fonts that payment pages of this version may load. */
import { createHash } from 'node:crypto';
import { loadAssets } from '../checkout/assets.ts';
import type { AssetName } from '../checkout/assets.ts';

/** The reason why pages load each file. `docs/payment-page.md` has the same words. */
export const REASONS: Readonly<Record<AssetName, string>> = {
  'checkout.css': 'The look of the payment: its summary, form and result.',
  'bank.css': 'The look of the sandbox bank. The checkout does not load it.',
  'form.js':
    'Helps to type: groups the digits of the card number, names its brand, puts in the slash of the date, and counts the last ten minutes down. It stores nothing and sends nothing.',
  'finished.js':
    'Writes the times of a receipt in the time zone of the customer, and returns to the shop. It reads no field and sends nothing.',
  'wait.js':
    'Asks the checkout whether the bank has responded, and reloads the page then. It is loaded only while the customer waits, and never on a page with a card form. It reads no field and sends nothing.',
  'icon.svg': 'The picture in the tab of the browser.',
  'dram.woff2': 'The sign of the dram, which many machines lack.',
  'signs.woff2': 'The signs of the rouble and the lari, which many machines lack.',
  'armenian.woff2': 'Armenian letters, for machines that lack them.',
  'cyrillic.woff2': 'Cyrillic letters, for machines that lack them.',
  'latin.woff2': 'Latin letters, for machines that lack them.',
};

export interface KnownFile {
  readonly name: string;
  readonly type: string;
  /** The path with its version, as pages have it. */
  readonly address: string;
  /** SHA-384 in base64url. */
  readonly hash: string;
  /** SHA-256 in hex, as tools such as `sha256sum` print it. */
  readonly sha256: string;
  readonly reason: string;
}

/** Returns the files. `base` is the path before every address, or ''. */
export function makeInventory(base: string): KnownFile[] {
  const assets = loadAssets(base);
  return assets.files.map(({ name, type, bytes, version }) => ({
    name,
    type,
    address: assets.address(name as AssetName),
    hash: version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    reason: REASONS[name as AssetName],
  }));
}

/** Returns a SHA-384 in base64url as the attribute `integrity` has it. */
export const toIntegrity = (hash: string): string =>
  `sha384-${Buffer.from(hash, 'base64url').toString('base64')}`;
