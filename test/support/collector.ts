/** An OTLP collector: takes spans by HTTP in protobuf, as Jaeger and OpenTelemetry's own do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import { until } from './until.ts';

/** The parts of OpenTelemetry's messages that tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Link links = 13;
    Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { string string_value = 1; bool bool_value = 2; int64 int_value = 3; }
`);
const REQUEST = root.lookupType('Request');
const READABLE = { bytes: String, longs: Number, arrays: true } as const;

export interface ExportedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ExportedSpan[];
  /** Everything that was received, byte for byte. */
  readonly bytes: readonly Buffer[];
  /** The authorization of the last request. */
  authorization: string | undefined;
  /** Waits until a trace has spans that are accepted, and returns them. */
  trace(id: string, accept: (spans: ExportedSpan[]) => boolean): Promise<ExportedSpan[]>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const bytes: Buffer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      bytes.push(body);
      spans.push(...decode(body));
      self.authorization = request.headers.authorization;
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const self: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans,
    bytes,
    authorization: undefined,
    trace: async (id, accept) => until(() => spans.filter(({ traceId }) => traceId === id), accept),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return self;
}

interface KeyValue {
  key: string;
  value: Record<string, string | number>;
}

interface RawSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: KeyValue[];
  links: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

interface RawRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

function decode(body: Buffer): ExportedSpan[] {
  const { resourceSpans } = REQUEST.toObject(REQUEST.decode(body), READABLE) as RawRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readable(span, service)));
  });
}

function readable(span: RawSpan, service: string): ExportedSpan {
  return {
    service,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentId: hex(span.parentSpanId ?? ''),
    name: span.name,
    kind: span.kind,
    attributes: valuesOf(span.attributes),
    links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
    failed: span.status?.code === 2,
  };
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

function valuesOf(attributes: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']),
  );
}
