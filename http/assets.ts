/** The files that pages load. They are read at start, so requests cannot reach other files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

/** Each file's type, and the files that it is made of, relative to `root`. */
export type AssetFiles<Name extends string> = Readonly<
  Record<Name, { readonly type: string; readonly from: readonly string[] }>
>;

export interface Assets<Name extends string> {
  /** Returns the address of a file, with a version that changes with its content. */
  readonly address: (name: Name) => string;
  /** Responds with the named file, compressed if the browser can. Throws 404 for unknown names. */
  readonly send: (ctx: Context, name: string) => void;
}

/** How long browsers may cache a versioned address: a year, the longest common value. */
const CACHE_SECONDS = 365 * 24 * 60 * 60;
/** The `Cache-Control` of an address that changes with its content. */
export const IMMUTABLE = `public, max-age=${CACHE_SECONDS}, immutable`;
/** Enough characters of a hash to distinguish the versions of a file. */
const VERSION_LENGTH = 16;

/** Reads every file, and throws if one is missing. `base` precedes every address. */
export function loadAssets<Name extends string>(
  all: AssetFiles<Name>,
  { base, root }: { base: string; root: string },
): Assets<Name> {
  const files = new Map(
    Object.entries<AssetFiles<Name>[Name]>(all).map(([name, { type, from }]) => {
      const bytes = Buffer.concat(from.map((file) => readFileSync(new URL(file, root))));
      const hash = createHash('sha256').update(bytes).digest('base64url');
      const version = hash.slice(0, VERSION_LENGTH);
      return [name, { bytes, packed: gzipSync(bytes), type, version }] as const;
    }),
  );
  return {
    address: (name) => `${base}/assets/${name}?v=${files.get(name)?.version ?? ''}`,
    send(ctx, name) {
      const file = files.get(name);
      if (!file) return ctx.throw(404);
      const versioned = ctx.query['v'] === file.version;
      ctx.set('Cache-Control', versioned ? IMMUTABLE : 'no-cache');
      ctx.status = 200;
      ctx.type = file.type;
      ctx.etag = file.version;
      ctx.vary('Accept-Encoding');
      const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
      if (ctx.fresh) ctx.status = 304;
      else {
        if (isPacked) ctx.set('Content-Encoding', 'gzip');
        ctx.body = isPacked ? file.packed : file.bytes;
      }
    },
  };
}
