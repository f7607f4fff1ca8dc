/** The files of the dashboard's pages. */
import { loadAssets as load } from '../http/assets.ts';
import type { Assets as AssetsOf } from '../http/assets.ts';

const FILES = {
  'dashboard.css': {
    type: 'text/css',
    from: [
      '../ui/reset.css',
      './assets/tokens.css',
      './assets/frame.css',
      './assets/controls.css',
      './assets/content.css',
      './assets/media.css',
    ],
  },
  'dashboard.js': {
    type: 'text/javascript',
    from: [
      // Before the others, which change what it compares with later responses.
      './assets/live.js',
      './assets/dashboard.js',
      './assets/keyboard.js',
      './assets/passkeys.js',
    ],
  },
  'icon.svg': { type: 'image/svg+xml', from: ['./assets/icon.svg'] },
} as const;

export type Assets = AssetsOf<keyof typeof FILES>;

/** Reads every file, and throws if one is missing. */
export const loadAssets = (): Assets => load(FILES, { base: '', root: import.meta.url });
