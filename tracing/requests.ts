/** Traces of HTTP requests: the middleware of every server, and the spans of its requests. */
import type { Context, Middleware } from 'koa';
import { parseTrace } from '../domain/trace.ts';
import type { Trace } from '../domain/trace.ts';
import { inNewTrace, inPlace, moveTo, placeIn } from './current.ts';
import { idAttribute, startSpan } from './span.ts';
import type { Span } from './span.ts';

const spans = new WeakMap<Context, Span>();

/**
 * Gives every request a trace. With `accepts`, that is the one of its headers, if they are valid.
 * A request has no span before `startRequestSpan`.
 */
export function traceRequests({ accepts }: { accepts: boolean }): Middleware {
  return async (ctx, next) => {
    const { traceparent, tracestate } = ctx.headers;
    const given = accepts ? parseTrace(traceparent, tracestate) : undefined;
    const serve = async (): Promise<void> => next().finally(() => endSpan(ctx));
    await (given ? inPlace({ trace: given }, serve) : inNewTrace(serve));
  };
}

interface RequestSpan {
  /** The pattern of the path. The path itself may contain ids and secrets. */
  readonly route: string;
  /** The stored trace that the request joins. */
  readonly joins?: Trace | undefined;
  readonly startedAt?: Date;
}

/**
 * Starts the span of a request that a stranger cannot send. A flood of strangers would push the
 * spans of payments out of the queue.
 */
export function startRequestSpan(ctx: Context, { route, joins, startedAt }: RequestSpan): void {
  const place = placeIn(joins);
  if (place) moveTo({ trace: place.trace });
  const span = startSpan({
    name: `${ctx.method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': ctx.method, 'http.route': route },
    ...(startedAt ? { startedAt } : {}),
  });
  if (!span) return;
  spans.set(ctx, span);
  moveTo({ trace: span.trace });
}

function endSpan(ctx: Context): void {
  const { status } = ctx;
  const { objectId } = ctx.state as { objectId?: string };
  const attributes = { 'http.response.status_code': status, ...idAttribute(objectId) };
  spans.get(ctx)?.end(attributes, status >= 500 ? String(status) : undefined);
}
