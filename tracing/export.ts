/**
 * The export of spans by OpenTelemetry. Only this file loads its SDK, which reads its own variables
 * (docs/operating.md, Tracing).
 */
import {
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  diag,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base';
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { inTime } from '../concurrency.ts';
import { composeTrace, partsOf } from '../domain/trace.ts';
import type { Trace } from '../domain/trace.ts';
import type { Log } from '../log.ts';
import { setRecorder } from './span.ts';
import type { Recorder, SpanOptions } from './span.ts';

/** The longest time that a stopping process waits for the collector. */
const FLUSH_MS = 2_000;

const KINDS: Readonly<Record<SpanOptions['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

interface ExportOptions {
  /** The name of the service, unless `OTEL_SERVICE_NAME` has another. */
  readonly service: string;
  readonly version: string;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Records all spans of this process, and sends them in the background. Spans that the collector
 * does not take in time are dropped and counted in the log. `close` sends the rest within 2 s.
 */
export function startExport({ service, version, log }: ExportOptions) {
  const warn = (reason: string): void => log.warn({ reason }, 'tracing');
  const told = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true };
  diag.setLogger({ ...SILENT, warn, error: warn }, told);
  const named = { 'service.name': service, 'service.version': version };
  const ids = new ChosenIds();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(named).merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(counted(new OTLPTraceExporter(), log))],
  });
  // From now on, errors are failed exports, which are counted below.
  diag.setLogger({ ...SILENT, warn }, told);
  setRecorder(makeRecorder(provider, ids));
  return {
    async close(this: void): Promise<void> {
      setRecorder(undefined);
      await inTime(provider.shutdown(), FLUSH_MS, tooLate).catch((error: unknown) => {
        log.warn({ err: error }, 'the last spans may be lost');
      });
    },
  };
}

const tooLate = (): Error => new Error('The collector took too long.');

const none = (): void => undefined;
const SILENT = { error: none, warn: none, info: none, debug: none, verbose: none };

function makeRecorder(provider: BasicTracerProvider, ids: ChosenIds): Recorder {
  const tracer = provider.getTracer('tollgate');
  return ({ name, kind, attributes, startedAt, spanId }, { trace: parent, isNew, cause }) => {
    const { tracestate } = parent;
    const begun = isNew ? partsOf(parent) : undefined;
    const links = cause ? [{ context: contextOf(cause, true) }] : [];
    const isRemote = kind === 'server' || kind === 'consumer';
    const context = begun
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent, isRemote));
    const options = { kind: KINDS[kind], attributes: { ...attributes }, links };
    const span = ids.using({ traceId: begun?.traceId, spanId: begun?.spanId ?? spanId }, () =>
      tracer.startSpan(name, startedAt ? { ...options, startTime: startedAt } : options, context),
    );
    const { traceFlags: flags, ...made } = span.spanContext();
    return {
      trace: composeTrace({ ...made, flags }, tracestate),
      end(more, failure) {
        span.setAttributes({ ...more });
        if (failure !== undefined) {
          span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
}

/** Leaves out the `tracestate`: it belongs to the merchant, and may contain anything. */
function contextOf(place: Trace, isRemote: boolean) {
  const { flags: traceFlags, ...ids } = partsOf(place);
  return { ...ids, traceFlags, isRemote };
}

/** Random ids, except those that were chosen before. */
class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #chosen: { traceId?: string | undefined; spanId?: string | undefined } = {};

  /** Calls `make`, and has it use these ids. */
  using<T>(ids: { traceId?: string | undefined; spanId?: string | undefined }, make: () => T): T {
    this.#chosen = ids;
    try {
      return make();
    } finally {
      this.#chosen = {};
    }
  }

  generateTraceId = (): string => this.#chosen.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#chosen.spanId ?? this.#random.generateSpanId();
}

/** Counts the spans that the collector did not take. */
function counted(exporter: SpanExporter, log: Pick<Log, 'warn'>): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length;
          const { message: reason } = result.error;
          log.warn({ reason, spans: spans.length, lost }, 'spans were lost');
        }
        done(result);
      });
    },
    shutdown: async () => exporter.shutdown(),
  };
}
