/** Preload as `without.mjs?mongodb,undici`: the process then fails to load these packages. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const REFUSED = new URL(import.meta.url).search.slice(1).split(',');

/**
 * @param {string} specifier
 * @param {object} context
 * @param {(specifier: string, context: object) => unknown} next
 */
export async function resolve(specifier, context, next) {
  if (REFUSED.includes(specifier)) throw new Error(`${specifier} must not be loaded`);
  return next(specifier, context);
}

// Node loads this file once more, in the thread that resolves modules.
if (isMainThread) register(import.meta.url);
