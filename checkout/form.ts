/** Forms that customers send. */
import type { Context } from 'koa';
import rawBody from 'raw-body';

/** The largest form has three short fields; more than this (in bytes) is none of ours. */
const FORM_LIMIT_BYTES = 8 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface Form {
  /** The field's text without blanks around it; undefined when it is absent or was sent twice. */
  get(name: string): string | undefined;
}

/**
 * Reads the request's form; a request without a body is an empty form. Throws HTTP errors: 415 for
 * any other content, 413 for too much of it, 400 for a body that breaks off.
 */
export async function readForm(ctx: Context): Promise<Form> {
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
  const coding = ctx.get('Content-Encoding') || 'identity';
  if (hasBody && (!ctx.is(FORM_TYPE) || coding !== 'identity')) ctx.throw(415);
  const fields = new URLSearchParams(hasBody ? await readText(ctx) : '');
  return {
    get(name) {
      const values = fields.getAll(name);
      return values.length === 1 ? values[0]?.trim() : undefined;
    },
  };
}

async function readText(ctx: Context): Promise<string> {
  const length = ctx.get('Content-Length');
  const expected = length === '' ? {} : { length };
  return rawBody(ctx.req, { ...expected, limit: FORM_LIMIT_BYTES, encoding: 'utf8' });
}
