/** The response to a refusal. */
import { CATALOGUE } from '../operations/refusal.ts';
import type { Refusal } from '../operations/refusal.ts';

interface RenderedError {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** The answer to a refusal; as RFC 9457 when `problem` is asked for. */
export function renderError(
  refusal: Refusal,
  { apiUrl, requestId, problem }: { apiUrl: string; requestId: string; problem: boolean },
): RenderedError {
  const { code, message, errors } = refusal;
  const { status, type, message: title } = CATALOGUE[code];
  const docUrl = `${apiUrl}/docs#${code}`;
  const rest = { param: errors[0]?.param ?? null, errors };
  const body = problem
    ? {
        type: docUrl,
        title,
        status,
        detail: message,
        error_type: type,
        code,
        ...rest,
        request_id: requestId,
      }
    : { error: { type, code, message, ...rest, doc_url: docUrl, request_id: requestId } };
  const contentType = problem ? 'application/problem+json' : 'application/json; charset=utf-8';
  return { status, contentType, text: JSON.stringify(body) };
}
