/** The style sheet, script and pictures. They are read at start, so no request reaches the disk. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

import type { Context } from 'koa';

const FOLDER = new URL('assets/', import.meta.url);

/** Returns a function that sends the file of that name, or leaves the response a 404. */
export function createAssets(): (ctx: Context, name: string) => void {
  const files = new Map(readdirSync(FOLDER).map((name) => [name, readAsset(name)]));
  return (ctx, name) => {
    const file = files.get(name);
    if (!file) return;
    ctx.body = file.bytes;
    ctx.type = extname(name);
    ctx.etag = file.etag;
    // Addresses have no version, so the browser asks each time. It mostly gets a 304.
    ctx.set('Cache-Control', 'no-cache');
    if (ctx.fresh) ctx.status = 304;
  };
}

function readAsset(name: string): { bytes: Buffer; etag: string } {
  const bytes = readFileSync(new URL(name, FOLDER));
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url') };
}
