/** Keeps the namespace and the search attributes registered, which Temporal may lack or lose. */
import type { Client } from '@temporalio/client';
import type { Log } from '../log.ts';
import { isRefusal, withinMs } from './limits.ts';
import { ensureAttributes, ensureNamespace } from './setup.ts';

/** The longest wait of a probe for Temporal. Load balancers often give up after 1 s. */
const READY_WAIT_MS = 500;
/** The time after a registration in which a refused call must have another cause. */
const PREPARED_FOR_MS = 5_000;

/** Creates the readiness of a namespace. It makes no call before one of its functions is called. */
export function makeReadiness(client: Client, namespace: string, log: Log) {
  let attributesAllowed = true;
  /** The id of the namespace whose search attributes were read last. */
  let attributesOf: string | undefined;
  let preparedAt = -Infinity;
  let underWay: Promise<void> | undefined;

  async function register(): Promise<void> {
    const id = await ensureNamespace(client, namespace);
    // Not each time: with every such read, a Temporal server on SQL keeps a connection open.
    if (attributesAllowed && id !== attributesOf) {
      attributesAllowed = await ensureAttributes(client, namespace, log);
      attributesOf = id;
    }
    preparedAt = performance.now();
  }

  /** Registers what is missing. Concurrent calls share one registration. Throws if it fails. */
  async function prepare(): Promise<void> {
    underWay ??= register().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  /** Registers what is missing. Returns false if that fails or takes longer than 0.5 s. */
  async function isReady(): Promise<boolean> {
    return withinMs(READY_WAIT_MS, prepare()).then(
      () => true,
      () => false,
    );
  }

  /** Makes a call. If Temporal refuses it, registers what is missing and repeats the call once. */
  async function prepared<T>(call: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      return await call();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const isFresh = performance.now() - preparedAt < PREPARED_FOR_MS;
      // The registration was just before the call, so repeating both would not help.
      if (isFresh && preparedAt < startedMs) throw error;
      if (!isFresh) {
        log.warn({ err: error }, 'Temporal refused a call; registering its namespace again');
        attributesOf = undefined;
        await prepare();
      }
      return call();
    }
  }

  /** Returns false if this server does not let us register search attributes. */
  const hasAttributes = (): boolean => attributesAllowed;

  return { prepare, isReady, prepared, hasAttributes };
}
