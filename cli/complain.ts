/** Reports that a command failed: in one sentence or in JSON, and by its exit code. */
import { ConfigError } from '../config.ts';
import { Refusal } from '../operations/refusal.ts';
import { TollgateApiError, TollgateConnectionError, TollgateError } from '../sdk/errors.ts';

/** An error because the database cannot be used now. The message has the reason and remedy. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** The exit codes of every command but `doctor`. 0 is done; 1 is a result that says no. */
export const EXIT = { no: 1, usage: 2, notReached: 3 } as const;

/** Prints an error, as a sentence or in the API's error format, and sets its exit code. */
export function complain({ json }: { json?: boolean }, error: unknown): void {
  process.exitCode = exitCodeOf(error);
  console.error(json ? JSON.stringify(bodyOf(error)) : `tollgate: ${sentenceOf(error)}`);
}

/**
 * Returns 2 for a command that was refused, and 3 if the service cannot be reached or failed. The
 * code 1 would say that the command ran, and that its result is no.
 */
function exitCodeOf(error: unknown): number {
  if (error instanceof TollgateApiError) return error.retryable ? EXIT.notReached : EXIT.usage;
  if (error instanceof TollgateConnectionError) return EXIT.notReached;
  if (error instanceof Refusal) {
    const isOutage = error.type === 'api' || error.type === 'rate_limit';
    return isOutage ? EXIT.notReached : EXIT.usage;
  }
  const isUsage = error instanceof TollgateError || error instanceof ConfigError;
  return isUsage ? EXIT.usage : EXIT.notReached;
}

/** Returns the error in one sentence, with the details that help to find its cause. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TollgateApiError) {
    const { message, code, requestId } = error;
    return `${message} (${code}${requestId === null ? '' : `, ${requestId}`})`;
  }
  if (error instanceof TollgateConnectionError) {
    const { cause } = (error.cause ?? {}) as { cause?: { code?: string; message?: string } };
    const detail = cause?.code ?? cause?.message;
    return detail === undefined ? error.message : `${error.message} (${detail})`;
  }
  return (error as Error).message;
}

/** Returns the error in the API's error format, for programs. */
export function bodyOf(error: unknown): object {
  const message = sentenceOf(error);
  if (error instanceof Refusal) {
    const { code, errors } = error;
    return { error: { type: error.type, code, message, param: errors[0]?.param ?? null } };
  }
  if (error instanceof TollgateApiError) {
    const { type, code, param, requestId: request_id } = error;
    return { error: { type, code, message: error.message, param, request_id } };
  }
  const [type, code] = kindOf(error);
  return { error: { type, code, message, param: null } };
}

function kindOf(error: unknown): readonly [type: string, code: string] {
  if (error instanceof TollgateConnectionError || error instanceof Unavailable) {
    return ['api', 'unavailable'];
  }
  if (error instanceof TollgateError || error instanceof ConfigError) {
    return ['invalid_request', 'parameter_invalid'];
  }
  return ['api', 'internal_error'];
}
