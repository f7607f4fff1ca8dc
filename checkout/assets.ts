/** The files that pages load. They are read at start, so requests cannot reach other files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context } from 'koa';

const BASE = ['../ui/reset.css', '../ui/base.css'];

const FILES = {
  'base.css': { type: 'text/css', from: BASE },
  'checkout.css': { type: 'text/css', from: ['./assets/checkout.css'] },
  'bank.css': { type: 'text/css', from: [...BASE, './assets/bank.css'] },
  'wait.js': { type: 'text/javascript', from: ['./assets/wait.js'] },
  'icon.svg': { type: 'image/svg+xml', from: ['./assets/icon.svg'] },
} as const;

export type AssetName = keyof typeof FILES;

/** How long browsers may cache a versioned address: a year, the longest common value. */
const CACHE_SECONDS = 365 * 24 * 60 * 60;
/** Enough characters of a hash to distinguish the versions of a file. */
const VERSION_LENGTH = 16;

export type Assets = ReturnType<typeof loadAssets>;

/** Reads every file, and throws if one is missing. `base` precedes every address. */
export function loadAssets(base: string) {
  const files = new Map(
    Object.entries(FILES).map(([name, { type, from }]) => {
      const parts = from.map((file) => readFileSync(new URL(file, import.meta.url)));
      const bytes = Buffer.concat(parts);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      return [name, { bytes, type, version: hash.slice(0, VERSION_LENGTH) }] as const;
    }),
  );

  return {
    /** Returns the address of a file, with a version that changes with its content. */
    address: (name: AssetName) => `${base}/assets/${name}?v=${files.get(name)?.version ?? ''}`,
    /** Responds with the named file. Throws a 404 error for an unknown name. */
    send(ctx: Context, name: string): void {
      const file = files.get(name);
      if (!file) ctx.throw(404);
      const versioned = ctx.query['v'] === file.version;
      const caching = `public, max-age=${CACHE_SECONDS}, immutable`;
      ctx.set('Cache-Control', versioned ? caching : 'no-cache');
      ctx.status = 200;
      ctx.type = file.type;
      ctx.etag = file.version;
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = file.bytes;
    },
  };
}
