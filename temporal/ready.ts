/**
 * Keeps Temporal ready for our calls: registers the namespace and search attributes that it lacks.
 */
import type { Client } from '@temporalio/client';
import type { Log } from '../log.ts';
import { isRefusal, withinMs } from './limits.ts';
import { ensureAttributes, ensureNamespace } from './setup.ts';

/**
 * The longest wait for Temporal. Load balancers often give up a probe after 1 s, and MongoDB alone
 * decides the result of ours.
 */
const READY_WAIT_MS = 500;
/**
 * How long a registration counts as recent. A call that is refused within this time has another
 * fault.
 */
const PREPARED_FOR_MS = 5_000;

interface Readiness {
  /** Registers the namespace and search attributes that are missing. Throws if it cannot. */
  prepare(): Promise<void>;
  /**
   * Registers what is missing, as `prepare`, and returns whether Temporal then has everything.
   * Returns false if that takes longer than 0.5 s or fails. Never throws.
   */
  isReady(): Promise<boolean>;
  /**
   * Makes a call. If Temporal refuses it (its data may be new), registers what is missing and
   * repeats the call once.
   */
  prepared<T>(call: () => Promise<T>): Promise<T>;
  /**
   * Returns whether workflows may have search attributes. Not every server lets us register them.
   */
  hasAttributes(): boolean;
}

/** Creates the readiness of a namespace. It makes no call before one of its methods is called. */
export function makeReadiness(client: Client, namespace: string, log: Log): Readiness {
  let attributesAllowed = true;
  let preparedAt = -Infinity;
  let underWay: Promise<void> | undefined;

  async function register(): Promise<void> {
    await ensureNamespace(client, namespace);
    if (attributesAllowed) attributesAllowed = await ensureAttributes(client, namespace, log);
    preparedAt = performance.now();
  }

  const self: Readiness = {
    async prepare() {
      underWay ??= register().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    async isReady() {
      return withinMs(READY_WAIT_MS, self.prepare()).then(
        () => true,
        () => false,
      );
    },
    async prepared(call) {
      const begun = performance.now();
      try {
        return await call();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const isFresh = performance.now() - preparedAt < PREPARED_FOR_MS;
        // A registration from before the call did not help it, and would not help a repeat.
        if (isFresh && preparedAt < begun) throw error;
        if (!isFresh) {
          log.warn({ err: error }, 'Temporal refused a call; its namespace is prepared again');
          await self.prepare();
        }
        return call();
      }
    },
    hasAttributes: () => attributesAllowed,
  };
  return self;
}
