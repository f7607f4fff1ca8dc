/** The few files a page needs, read once at start; there is no path to escape from. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Context } from 'koa';

const FILES = {
  'shop.css': 'text/css',
  'goods.css': 'text/css',
  'orders.css': 'text/css',
  'shop.js': 'text/javascript',
  'icon.svg': 'image/svg+xml',
};

/** A function that answers the request for the named file, or leaves it a 404. */
export function createAssets(): (ctx: Context, name: string) => void {
  const assets = new Map(
    Object.entries(FILES).map(([name, type]) => {
      const bytes = readFileSync(new URL(`assets/${name}`, import.meta.url));
      const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      return [name, { bytes, type, etag }] as const;
    }),
  );
  return (ctx, name) => {
    const asset = assets.get(name);
    if (!asset) return;
    ctx.status = 200;
    ctx.etag = asset.etag;
    // Names carry no version, so a browser asks each time and is mostly told "not modified".
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = asset.type;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = asset.bytes;
  };
}
