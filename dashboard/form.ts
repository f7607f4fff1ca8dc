/** Forms that the staff submit. */
import type { Context } from 'koa';
import rawBody from 'raw-body';

/** The longest form, in bytes: a URL, a description and a few short fields. */
const FORM_LIMIT_BYTES = 32 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The longest form with a file, in bytes. Larger files than wanted get a reason, up to this. */
const UPLOAD_LIMIT_BYTES = 256 * 1024;
const UPLOAD_TYPE = 'multipart/form-data';

export interface Form {
  /** Returns a field's trimmed text, or '' if it is absent. */
  get(name: string): string;
  /** Returns a field's text with its spaces, or ''. */
  raw(name: string): string;
  /** Returns all values of a field, such as checked boxes. */
  all(name: string): readonly string[];
  /** Returns the bytes of a file; none if it is absent. */
  file(name: string): Uint8Array;
}

const formOf = (
  fields: URLSearchParams,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Form => ({
  get: (name) => fields.get(name)?.trim() ?? '',
  raw: (name) => fields.get(name) ?? '',
  all: (name) => fields.getAll(name),
  file: (name) => files.get(name) ?? new Uint8Array(),
});

export const NO_FORM = formOf(new URLSearchParams());

/** Returns the fields of a form that was sent in the query of a GET. */
export const readQuery = ({ querystring }: Context): Form =>
  formOf(new URLSearchParams(querystring));

/**
 * Reads the form of a request; one with files only if `isUpload`. Throws HTTP errors: 415 for
 * another type, 413 beyond the limit, 400 for a form that cannot be read.
 */
export async function readForm(ctx: Context, { isUpload = false } = {}): Promise<Form> {
  const coding = ctx.get('Content-Encoding') || 'identity';
  const type = ctx.is(isUpload ? [FORM_TYPE, UPLOAD_TYPE] : [FORM_TYPE]);
  if (!type || coding !== 'identity') ctx.throw(415);
  const hasFiles = type === UPLOAD_TYPE;
  const length = ctx.get('Content-Length');
  const limit = hasFiles ? UPLOAD_LIMIT_BYTES : FORM_LIMIT_BYTES;
  const body = await rawBody(ctx.req, { ...(length && { length }), limit });
  return hasFiles ? readParts(ctx, body) : formOf(new URLSearchParams(body.toString()));
}

/** Parses a form with files, as Node's `fetch` does. */
async function readParts(ctx: Context, body: Buffer): Promise<Form> {
  const headers = { 'Content-Type': ctx.get('Content-Type') };
  const parsed = await new Response(new Uint8Array(body), { headers })
    .formData()
    .catch(() => ctx.throw(400));
  const fields = new URLSearchParams();
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of parsed) {
    if (typeof value === 'string') fields.append(name, value);
    else files.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return formOf(fields, files);
}
