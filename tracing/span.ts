/** Spans: pieces of work with a beginning and an end. They cost nothing without an exporter. */
import type { Trace } from '../domain/trace.ts';
import { currentPlace, inPlace, moveTo } from './current.ts';
import type { Place } from './current.ts';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  /** Never contains an id: tools group spans by name. */
  readonly name: string;
  /** `server` and `consumer` continue the work of another process. */
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Never card numbers, keys, secrets, bodies, or addresses with their queries. */
  readonly attributes?: Attributes;
  /** When the work began, if it was not now. */
  readonly startedAt?: Date;
  /** An id that other processes know already. */
  readonly spanId?: string;
  /** Returns false for thrown errors that are no failure. */
  readonly isFailure?: (error: unknown) => boolean;
}

export interface Span {
  /** The place of the span, for its children. */
  readonly trace: Trace;
  /** Ends the span. `failure` is the kind of error, never its message. */
  end(attributes?: Attributes, failure?: string): void;
}

/** Makes spans at a place. */
export type Recorder = (options: SpanOptions, place: Place) => Span;

let recorder: Recorder | undefined;

/** Sets the recorder of all spans of this process, or removes it. */
export function setRecorder(next: Recorder | undefined): void {
  recorder = next;
}

/** Returns whether spans are recorded. If not, traces pass through this process unchanged. */
export function isRecording(): boolean {
  return recorder !== undefined;
}

/** Starts a span. Returns undefined without an exporter, and outside every trace. */
export function startSpan(options: SpanOptions, place = currentPlace()): Span | undefined {
  if (!place || !recorder) return undefined;
  // A trace has one first span. The others become its children.
  if (place.isNew) moveTo({ trace: place.trace });
  return recorder(options, place);
}

/**
 * Does the work within a span. `work` gets a function that adds attributes, and a failure if the
 * work reports one without throwing.
 */
export async function inSpan<T>(
  options: SpanOptions,
  work: (note: (attributes: Attributes, failure?: string) => void) => Promise<T>,
): Promise<T> {
  const span = startSpan(options);
  if (!span) return work(() => undefined);
  let noted: [Attributes?, string?] = [];
  try {
    const note = (...all: [Attributes, string?]): void => void (noted = all);
    const result = await inPlace({ trace: span.trace }, async () => work(note));
    span.end(...noted);
    return result;
  } catch (error) {
    const isFailure = options.isFailure?.(error) ?? true;
    span.end(noted[0], isFailure ? nameOf(error) : undefined);
    throw error;
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** Returns the id of a payment or refund as an attribute. */
export function idAttribute(id: string | undefined): Attributes {
  if (id?.startsWith('pay_')) return { 'tollgate.payment_id': id };
  return id?.startsWith('ref_') ? { 'tollgate.refund_id': id } : {};
}
