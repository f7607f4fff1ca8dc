/** The curl command for an operation, from the examples in the document. */
import { exampleOf, jsonOf, resolve } from './document.ts';
import type { OpenApiDocument, PlacedOperation } from './document.ts';

const JSON_INDENT = 2;

/** Returns a shell command that needs only `$KEY`. Its path has the `id` of `example`. */
export function curlFor(
  document: OpenApiDocument,
  operation: PlacedOperation,
  example: unknown,
): string {
  const { id } = (example ?? {}) as { id?: string };
  const path = operation.path.replaceAll(/\{\w+\}/g, (name) => id ?? name);
  const url = (document.servers?.[0]?.url ?? '') + path;
  const lines = [`curl ${url}`, '-H "Authorization: Bearer $KEY"'];
  if (operation.method === 'POST') {
    const body = exampleOf(document, jsonOf(document, operation.requestBody)) ?? {};
    const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
    if (parameters.some(({ name }) => name === 'Idempotency-Key')) {
      lines.push(`-H "Idempotency-Key: ${exampleKey(operation, body)}"`);
    }
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${quoted(JSON.stringify(body, undefined, JSON_INDENT))}`);
  }
  return lines.join(' \\\n  ');
}

/** Returns an idempotency key: most merchants use the order's number. */
export function exampleKey({ id }: PlacedOperation, body: object): string {
  const { order_id: key = `${id}-1001` } = body as { order_id?: string };
  return key;
}

/** Quotes the text as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
