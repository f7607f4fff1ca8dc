/** W3C trace contexts (https://www.w3.org/TR/trace-context/): which trace a thing belongs to. */

/** A place in a trace: a span, as the header `traceparent` names it. */
export interface Trace {
  /** Version 00, the trace's id, the span's id and the flags. */
  readonly traceparent: string;
  /** The header `tracestate`, as it was received. */
  readonly tracestate?: string;
}

export interface TraceParts {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** 1 if the trace is sampled, 2 if its id is random, and their sum. */
  readonly flags: number;
}

/** The first two flags are defined. The others must not be passed on. */
const KNOWN_FLAGS = 0b11;
/** Longer states are dropped. Systems have to pass on this many characters. */
const MAX_STATE_CHARS = 512;
const MAX_STATE_MEMBERS = 32;

/** Later versions may add parts, after another hyphen. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.{0,256})?$/;
const STATE_MEMBER =
  /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returns the trace in the headers of a request, or undefined if there is no valid one. */
export function parseTrace(traceparent: unknown, tracestate?: unknown): Trace | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    TRACEPARENT.exec(traceparent) ?? [];
  const isTooLong = version === '00' && rest !== undefined;
  if (version === undefined || isTooLong || /^0+$/.test(traceId) || /^0+$/.test(spanId)) {
    return undefined;
  }
  const parts = { traceId, spanId, flags: Number.parseInt(flags, 16) };
  return composeTrace(parts, isState(tracestate) ? tracestate : undefined);
}

function isState(state: unknown): state is string {
  if (typeof state !== 'string' || state.length > MAX_STATE_CHARS) return false;
  const members = state.split(',').map((member) => member.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  return (
    members.length <= MAX_STATE_MEMBERS &&
    members.some((member) => member !== '') &&
    members.every((member) => member === '' || STATE_MEMBER.test(member))
  );
}

/** Returns the trace with these ids. */
export function composeTrace({ traceId, spanId, flags }: TraceParts, tracestate?: string): Trace {
  const known = (flags & KNOWN_FLAGS).toString(16).padStart(2, '0');
  const traceparent = `00-${traceId}-${spanId}-${known}`;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

/** Returns the ids and flags of a trace. */
export function partsOf({ traceparent }: Trace): TraceParts {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Returns whether both are places in one trace. */
export function isSameTrace(one: Trace, other: Trace): boolean {
  return partsOf(one).traceId === partsOf(other).traceId;
}
