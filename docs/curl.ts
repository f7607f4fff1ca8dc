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
      // Most merchants use the order's number.
      const { order_id: key = `${operation.id}-1001` } = body as { order_id?: string };
      lines.push(`-H "Idempotency-Key: ${key}"`);
    }
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${quoted(JSON.stringify(body, undefined, JSON_INDENT))}`);
  }
  return lines.join(' \\\n  ');
}

/** Quotes the text as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
