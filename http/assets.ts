/** The files that pages load. They are read at start, so requests cannot reach other files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

/** Each file's type, and what it is made of: files relative to `root`, and bytes. */
export type AssetFiles<Name extends string> = Readonly<
  Record<Name, { readonly type: string; readonly from: readonly (string | Buffer)[] }>
>;

export interface Assets<Name extends string> {
  /** Returns the address of a file, with a version that changes with its content. */
  readonly address: (name: Name) => string;
  /** Responds with the named file, compressed if the browser can. Throws 404 for unknown names. */
  readonly send: (ctx: Context, name: string) => void;
  readonly files: readonly AssetFile[];
}

export interface AssetFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** The version in its address: the hash, or the beginning of it. */
  readonly version: string;
}

/** How long browsers may cache a versioned address: a year, the longest common value. */
const CACHE_SECONDS = 365 * 24 * 60 * 60;
/** The `Cache-Control` of an address that changes with its content. */
export const IMMUTABLE = `public, max-age=${CACHE_SECONDS}, immutable`;
/** Enough characters of a hash to distinguish the versions of a file. */
const VERSION_LENGTH = 16;

/** Returns the SHA-384 in base64url: 64 characters. */
export const hashOf = (bytes: Buffer | string): string =>
  createHash('sha384').update(bytes).digest('base64url');

/** The comments of style sheets, and lines of a script that are only a comment. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  'text/css': /\/\*[^]*?\*\/\s*/g,
  'text/javascript': /^\s*(?:\/\/.*|\/\*\*.*\*\/)\n/gm,
};

/** Returns a text as browsers need it: customers do not read comments. */
function withoutComments(bytes: Buffer, type: string): Buffer {
  const comments = COMMENTS[type];
  return comments ? Buffer.from(bytes.toString().replaceAll(comments, '')) : bytes;
}

/** Returns whether files of that type would not become smaller. */
const isCompressed = (type: string): boolean => type === 'font/woff2';

interface LoadOptions {
  /** Precedes every address. */
  readonly base: string;
  readonly root: string;
  /** True if addresses have the whole hash, so that pages can tell browsers to check it. */
  readonly isChecked?: boolean;
}

/** Reads every file, and throws if one is missing. */
export function loadAssets<Name extends string>(
  all: AssetFiles<Name>,
  { base, root, isChecked = false }: LoadOptions,
): Assets<Name> {
  const files = new Map(
    Object.entries<AssetFiles<Name>[Name]>(all).map(([name, { type, from }]) => {
      const parts = from.map((part) =>
        typeof part === 'string' ? readFileSync(new URL(part, root)) : part,
      );
      const bytes = withoutComments(Buffer.concat(parts), type);
      const version = hashOf(bytes).slice(0, isChecked ? undefined : VERSION_LENGTH);
      return [name, { name, bytes, packed: gzipSync(bytes), type, version }] as const;
    }),
  );
  return {
    files: [...files.values()],
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
      const isPacked =
        !isCompressed(file.type) && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
      if (ctx.fresh) ctx.status = 304;
      else {
        if (isPacked) ctx.set('Content-Encoding', 'gzip');
        ctx.body = isPacked ? file.packed : file.bytes;
      }
    },
  };
}
