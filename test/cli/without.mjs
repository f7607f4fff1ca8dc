/** Preloaded into a `tollgate` process, this refuses to load what only some commands need. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * @param {string} specifier
 * @param {object} context
 * @param {(specifier: string, context: object) => unknown} next
 */
export async function resolve(specifier, context, next) {
  if (/^(?:mongodb|@temporalio\/client|@node-rs\/argon2)$/.test(specifier)) {
    throw new Error(`${specifier} is not to be loaded`);
  }
  return next(specifier, context);
}

// Node loads this file once more, in the thread that resolves modules.
if (isMainThread) register(import.meta.url);
