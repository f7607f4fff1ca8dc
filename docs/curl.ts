/** The curl command for an operation, from the examples in the document. */
import { exampleOf, follow } from './document.ts';
import type { OpenApiDocument, PlacedOperation } from './document.ts';

const JSON_INDENT = 2;

/** A command that can be pasted into a shell where `KEY` is set; `id` goes into its path. */
export function curlFor(
  document: OpenApiDocument,
  operation: PlacedOperation,
  id: string | undefined,
): string {
  const parameters = (operation.parameters ?? []).map((one) => follow(document, one));
  const path = operation.path.replaceAll(/\{\w+\}/g, (name) => id ?? name);
  const url = (document.servers?.[0]?.url ?? '') + path;
  const lines = [`curl ${url}`, '-H "Authorization: Bearer $KEY"'];
  if (operation.method === 'POST') {
    const body = exampleOf(document, operation.requestBody?.content?.['application/json']) ?? {};
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    if (takesKey) lines.push(`-H "Idempotency-Key: ${keyFor(operation, body)}"`);
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${quoted(JSON.stringify(body, undefined, JSON_INDENT))}`);
  }
  return lines.join(' \\\n  ');
}

/** A key as a merchant would choose it: the order's reference where the body has one. */
function keyFor({ id }: PlacedOperation, body: object): string {
  const { order_id: orderId } = body as { order_id?: unknown };
  return typeof orderId === 'string' ? orderId : `${id}-1001`;
}

/** As one word of a shell: single quotes, in which only they themselves mean anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
