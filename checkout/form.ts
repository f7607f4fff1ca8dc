/** Forms that customers submit. */
import type { Context } from 'koa';
import rawBody from 'raw-body';
import type { TextKey } from './text.ts';

/** The longest form, in bytes. Ours have three short fields. */
const FORM_LIMIT_BYTES = 8 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface Form {
  /** Returns the field's trimmed text, or undefined if it is absent or repeated. */
  get(name: string): string | undefined;
}

/** The text that explains what is wrong with each field. */
export type FieldErrors = Partial<
  Record<'card_number' | 'expiry' | 'cvc' | 'method' | 'outcome' | 'code', TextKey>
>;

/**
 * Reads the form of the request. A request without a body is an empty form. Throws HTTP errors: 415
 * for another type, 413 beyond the limit, 400 for an incomplete body.
 */
export async function readForm(ctx: Context): Promise<Form> {
  const length = ctx.get('Content-Length');
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(length) > 0;
  const coding = ctx.get('Content-Encoding') || 'identity';
  if (hasBody && (!ctx.is(FORM_TYPE) || coding !== 'identity')) ctx.throw(415);
  const options = { ...(length && { length }), limit: FORM_LIMIT_BYTES, encoding: 'utf8' };
  const fields = new URLSearchParams(hasBody ? await rawBody(ctx.req, options) : '');
  return {
    get(name) {
      const values = fields.getAll(name);
      return values.length === 1 ? values[0]?.trim() : undefined;
    },
  };
}
