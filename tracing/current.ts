/** The trace of the work that is done now. It needs no exporter. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { composeTrace, isSameTrace, partsOf } from '../domain/trace.ts';
import type { Trace } from '../domain/trace.ts';

/** The place of a piece of work in its trace. New spans become children of `trace`. */
export interface Place {
  readonly trace: Trace;
  /** True if the trace begins here. The first span gets the ids of `trace`, and no parent. */
  readonly isNew?: boolean;
  /** The place in another trace that caused this work. The first span links to it. */
  readonly cause?: Trace | undefined;
}

const storage = new AsyncLocalStorage<{ place: Place }>();

/** The flags of new traces: sampled, with a random id. Without an exporter, our log records them. */
const NEW_FLAGS = 0b11;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Returns the place of the current work, or undefined outside every trace. */
export function currentPlace(): Place | undefined {
  return storage.getStore()?.place;
}

/** Returns the trace of the current work, or undefined outside every trace. */
export function currentTrace(): Trace | undefined {
  return currentPlace()?.trace;
}

/** Returns the id of the current trace, for the log. */
export function currentTraceId(): string | undefined {
  const trace = currentTrace();
  return trace && partsOf(trace).traceId;
}

/** Returns the current trace if it is the stored one, or nothing was stored; else the stored one. */
export function traceIn(stored: Trace | undefined): Trace | undefined {
  return placeIn(stored)?.trace ?? currentTrace();
}

/** Returns the current trace as HTTP headers. */
export function traceHeaders(): Record<string, string> {
  return { ...currentTrace() };
}

/** Does the work at a place. */
export function inPlace<T>(place: Place, work: () => T): T {
  return storage.run({ place }, work);
}

/** Does the work in a trace that begins here. */
export function inNewTrace<T>(work: () => T): T {
  const traceId = randomBytes(TRACE_ID_BYTES).toString('hex');
  const spanId = randomBytes(SPAN_ID_BYTES).toString('hex');
  return inPlace({ trace: composeTrace({ traceId, spanId, flags: NEW_FLAGS }), isNew: true }, work);
}

/**
 * Does the work in a stored trace, and links it to the current one. Does it at the current place if
 * that is in the stored trace, or if nothing was stored, as in earlier versions.
 */
export function joinTrace<T>(stored: Trace | undefined, work: () => T): T {
  const place = placeIn(stored);
  return place ? inPlace(place, work) : work();
}

/** Moves all further work of this call, such as a request, to a place. */
export function moveTo(place: Place): void {
  const store = storage.getStore();
  if (store) store.place = place;
}

/** Returns the place for work in a stored trace; undefined for the current place. */
export function placeIn(stored: Trace | undefined): Place | undefined {
  const current = currentPlace();
  if (!stored || (current && isSameTrace(current.trace, stored))) return undefined;
  // Nobody recorded a trace that has only begun.
  return { trace: stored, cause: current?.isNew ? undefined : current?.trace };
}
