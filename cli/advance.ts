/** `tollgate advance`: makes the next step of a test payment due now, through the API. */
import { ADVANCES } from '../domain/advance.ts';
import { openAccess, requireTestKey } from './access.ts';
import type { AccessOptions } from './access.ts';
import { toLines } from './output.ts';
import { invalid } from './refusals.ts';

interface AdvanceOptions extends AccessOptions {
  to: string;
  json?: boolean;
}

/** Advances the payment, and prints its state. */
export async function advance(
  options: AdvanceOptions,
  [payment = '']: readonly string[],
): Promise<void> {
  const to = ADVANCES.find((each) => each === options.to);
  if (to === undefined) throw invalid('to', `--to must be one of: ${ADVANCES.join(', ')}.`);
  requireTestKey(options);
  const { client } = openAccess(options);
  const { id, status, expires_at, attempts_count } = await client.test.advance(payment, to);
  const shown = { payment_id: id, status, expires_at, attempts_count };
  if (options.json) return console.log(JSON.stringify(shown));
  console.log(toLines(shown));
}
