/** The files of the checkout's pages. */
import type { RouterContext } from '@koa/router';
import { IMMUTABLE, loadAssets as load } from '../http/assets.ts';
import type { Assets as AssetsOf } from '../http/assets.ts';
import type { PageFile } from '../store/files.ts';
import { fontFiles } from '../ui/fontfiles.ts';
import { fontRules } from '../ui/fonts.ts';
import type { FontName } from '../ui/fonts.ts';
import type { Services } from './request.ts';

/** The form of a SHA-384 in base64url. */
const WHOLE_HASH = /^[\w-]{64}$/;

const BASE = ['../ui/reset.css', '../ui/base.css'];
const CHECKOUT = ['checkout', 'form', 'print'].map((name) => `./assets/${name}.css`);
/** The scripts of the form and of the page after it. Each works without the others. */
const FORM = ['card', 'times', 'countdown'].map((name) => `./assets/${name}.js`);
const FINISHED = ['times', 'return'].map((name) => `./assets/${name}.js`);

/** Returns the files besides the fonts. `rules` are those of the fonts. */
const filesWith = (rules: Buffer) => ({
  'checkout.css': { type: 'text/css', from: [rules, ...BASE, ...CHECKOUT] },
  'bank.css': { type: 'text/css', from: [rules, ...BASE, './assets/bank.css'] },
  'form.js': { type: 'text/javascript', from: FORM },
  'finished.js': { type: 'text/javascript', from: FINISHED },
  'wait.js': { type: 'text/javascript', from: ['./assets/wait.js'] },
  'icon.svg': { type: 'image/svg+xml', from: ['./assets/icon.svg'] },
});

export type AssetName = keyof ReturnType<typeof filesWith> | FontName;
export type Assets = AssetsOf<AssetName>;

/** Reads every file, and throws if one is missing. `base` precedes every address. */
export function loadAssets(base: string): Assets {
  const how = { root: import.meta.url, isChecked: true };
  const fonts = fontFiles();
  // Relative to the style sheet, so that its bytes do not depend on `base`.
  const { address } = load(fonts, { ...how, base: '..' });
  const rules = Buffer.from(fontRules(address));
  return load({ ...filesWith(rules), ...fonts }, { ...how, base });
}

/** Returns the files as the database keeps them for servers of other versions. */
export const filesOf = ({ files }: Assets): PageFile[] =>
  files.map(({ version, type, bytes }) => ({ hash: version, type, bytes }));

/**
 * Sends a file, or the one of another version if the page is from there. A hash that no version has
 * gets our file, as an address without a hash does.
 */
export function sendAsset({ assets, findFile }: Pick<Services, 'assets' | 'findFile'>) {
  return async (ctx: RouterContext): Promise<void> => {
    const { file: name = '' } = ctx.params;
    const { v: wanted } = ctx.query;
    const isOther = typeof wanted === 'string' && WHOLE_HASH.test(wanted);
    const isOurs = assets.files.some((file) => file.name === name && file.version === wanted);
    const other = isOther && !isOurs ? await findFile(wanted) : undefined;
    if (!other) return assets.send(ctx, name);
    ctx.set('Cache-Control', IMMUTABLE);
    ctx.type = other.type;
    ctx.body = other.bytes;
  };
}
