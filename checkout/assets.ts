/** The files of the checkout's pages. */
import { loadAssets as load } from '../http/assets.ts';
import type { Assets as AssetsOf } from '../http/assets.ts';

const BASE = ['../ui/reset.css', '../ui/base.css'];

const FILES = {
  'base.css': { type: 'text/css', from: BASE },
  'checkout.css': { type: 'text/css', from: ['./assets/checkout.css'] },
  'bank.css': { type: 'text/css', from: [...BASE, './assets/bank.css'] },
  'wait.js': { type: 'text/javascript', from: ['./assets/wait.js'] },
  'icon.svg': { type: 'image/svg+xml', from: ['./assets/icon.svg'] },
} as const;

export type AssetName = keyof typeof FILES;
export type Assets = AssetsOf<AssetName>;

/** Reads every file, and throws if one is missing. `base` precedes every address. */
export const loadAssets = (base: string): Assets => load(FILES, { base, root: import.meta.url });
