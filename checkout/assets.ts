/** The few files that pages need, read once at start; there is no path to escape from. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context } from 'koa';

const FILES = {
  'base.css': { type: 'text/css', from: ['../ui/reset.css', '../ui/base.css'] },
  'checkout.css': { type: 'text/css', from: ['./assets/checkout.css'] },
  'bank.css': { type: 'text/css', from: ['../ui/reset.css', './assets/bank.css'] },
  'wait.js': { type: 'text/javascript', from: ['./assets/wait.js'] },
  'icon.svg': { type: 'image/svg+xml', from: ['./assets/icon.svg'] },
} as const;

export type AssetName = keyof typeof FILES;

/** Browsers may keep a versioned address for a year (in seconds), the longest that HTTP knows. */
const KEEP_SECONDS = 365 * 24 * 60 * 60;
/** As many characters of a hash as tell versions of one file apart. */
const VERSION_LENGTH = 16;

export interface Assets {
  /** The address of a file, with a version that changes with its content. */
  address(name: AssetName): string;
  /** Answers the request for the file of that name; throws 404 for every other name. */
  send(ctx: Context, name: string): void;
}

/** Reads every file; throws when one is missing. `base` stands before every address. */
export function loadAssets(base: string): Assets {
  const files = new Map(
    Object.entries(FILES).map(([name, { type, from }]) => {
      const parts = from.map((file) => readFileSync(new URL(file, import.meta.url)));
      const bytes = Buffer.concat(parts);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      return [name, { bytes, type, version: hash.slice(0, VERSION_LENGTH) }] as const;
    }),
  );

  return {
    address: (name) => `${base}/assets/${name}?v=${files.get(name)?.version ?? ''}`,
    send(ctx: Context, name) {
      const file = files.get(name);
      if (!file) ctx.throw(404);
      const versioned = ctx.query['v'] === file.version;
      const kept = `public, max-age=${KEEP_SECONDS}, immutable`;
      ctx.set('Cache-Control', versioned ? kept : 'no-cache');
      ctx.status = 200;
      ctx.type = file.type;
      ctx.etag = file.version;
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = file.bytes;
    },
  };
}
