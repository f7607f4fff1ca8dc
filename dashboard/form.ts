/** Forms that the staff submit. */
import type { Context } from 'koa';
import rawBody from 'raw-body';

/** The longest form, in bytes: a URL, a description and a few short fields. */
const FORM_LIMIT_BYTES = 32 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface Form {
  /** Returns a field's trimmed text, or '' if it is absent. */
  get(name: string): string;
  /** Returns a field's text with its spaces, or ''. */
  raw(name: string): string;
  /** Returns all values of a field, such as checked boxes. */
  all(name: string): readonly string[];
}

const formOf = (fields: URLSearchParams): Form => ({
  get: (name) => fields.get(name)?.trim() ?? '',
  raw: (name) => fields.get(name) ?? '',
  all: (name) => fields.getAll(name),
});

export const NO_FORM = formOf(new URLSearchParams());

/** Returns the fields of a form that was sent in the query of a GET. */
export const readQuery = ({ querystring }: Context): Form =>
  formOf(new URLSearchParams(querystring));

/** Reads the form of a request. Throws HTTP errors: 415 for another type, 413 beyond the limit. */
export async function readForm(ctx: Context): Promise<Form> {
  const coding = ctx.get('Content-Encoding') || 'identity';
  if (!ctx.is(FORM_TYPE) || coding !== 'identity') ctx.throw(415);
  const length = ctx.get('Content-Length');
  const options = { ...(length && { length }), limit: FORM_LIMIT_BYTES, encoding: 'utf8' };
  return formOf(new URLSearchParams(await rawBody(ctx.req, options)));
}
