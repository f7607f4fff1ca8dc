/** Refuses parameters that a call does not have, and suggests the ones that were probably meant. */
import { shownName, suggestion } from '../operations/names.ts';
import type { FieldError } from '../operations/refusal.ts';

/** The number of unknown parameters in a request that get advice. More are no typing errors. */
const MAX_ADVICE = 5;
const NO_QUERY = 'It has none; a POST takes its parameters as JSON.';

/**
 * Returns a function that returns the fault of a parameter which is not one of `names`, those of the
 * body or query. Create it once for each request.
 */
export function refuseUnknown(names: readonly string[]): (name: string) => FieldError {
  const kind = names.length === 0 ? 'query parameter' : 'parameter';
  const all = names.length === 0 ? NO_QUERY : `It has: ${names.join(', ')}.`;
  let count = 0;
  return (name) => {
    count += 1;
    const param = shownName(name) ?? null;
    const what = `${param ?? 'A name like a card number or key'} is not a ${kind} of this call.`;
    const advice = count > MAX_ADVICE ? '' : suggestion(name, names) || ` ${all}`;
    return { param, code: 'parameter_unknown', message: what + advice };
  };
}
