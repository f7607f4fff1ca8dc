/**
 * Stands in for act.ts in the package of the client, which has no database. The only command there
 * that could need one is `explain --delivery`.
 */
import type * as act from './act.ts';
import { complain } from './complain.ts';
import { elsewhere } from './refusals.ts';

/** Reports where the command has to be run. Does not run `action`. */
export const run: typeof act.run = async (options) =>
  complain(options, elsewhere('explain --delivery'));

/** Throws always. */
export const withServices: typeof act.withServices = async () => {
  throw elsewhere('explain --delivery');
};
