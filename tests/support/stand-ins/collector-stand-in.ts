import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The part of OTLP's messages that the tests read: https://github.com/open-telemetry/opentelemetry-proto */
const SCHEMA = `
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message Status { int32 code = 3; }
`;
const requestType = protobuf.parse(SCHEMA).root.lookupType('Request');

type Attributes = Record<string, unknown>;

/** A span as the collector received it. */
export interface CollectedSpan {
  traceId: string;
  id: string;
  /** Empty for a span without a parent. */
  parentId: string;
  name: string;
  attributes: Attributes;
  failed: boolean;
}

/** An OpenTelemetry collector that accepts traces over OTLP/HTTP. */
export interface CollectorStandIn {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** The attributes with which the senders describe themselves. */
  resources: Attributes[];
  /** The bodies of the accepted requests, as they arrived. */
  bodies: Buffer[];
  /** The headers of the accepted requests. */
  headers: IncomingHttpHeaders[];
  /** Resolves with a trace's spans once its root span, named `rootName`, has arrived. The root arrives last. */
  waitForTrace(rootName: string, traceId?: string): Promise<CollectedSpan[]>;
  close(): Promise<void>;
}

interface RawAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface RawSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  attributes: RawAttribute[];
  status?: { code?: number };
}

const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
const attributesOf = (rawAttributes: RawAttribute[]): Attributes =>
  Object.fromEntries(rawAttributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollectorStandIn(): Promise<CollectorStandIn> {
  const spans: CollectedSpan[] = [];
  const resources: Attributes[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const pendingChecks = new Set<() => void>();

  function collect(body: Buffer): void {
    const request = requestType.toObject(requestType.decode(body), {
      bytes: String,
      longs: Number,
      arrays: true,
    });
    for (const { resource, scopeSpans } of request.resourceSpans) {
      resources.push(attributesOf(resource.attributes));
      for (const rawSpan of scopeSpans.flatMap((scope: { spans: RawSpan[] }) => scope.spans) as RawSpan[])
        spans.push({
          traceId: toHex(rawSpan.traceId),
          id: toHex(rawSpan.spanId),
          parentId: toHex(rawSpan.parentSpanId ?? ''),
          name: rawSpan.name,
          attributes: attributesOf(rawSpan.attributes),
          failed: rawSpan.status?.code === 2,
        });
    }
    for (const check of pendingChecks) check();
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isTraceRequest = request.method === 'POST' && request.url === '/v1/traces';
    if (!isTraceRequest || request.headers['content-type'] !== 'application/x-protobuf')
      return void response.writeHead(404).end();
    const body = Buffer.concat(chunks);
    bodies.push(body);
    headers.push(request.headers);
    collect(body);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    bodies,
    headers,
    waitForTrace: (rootName, traceId) =>
      new Promise((resolve) => {
        const check = () => {
          const root = spans.findLast(
            (span) => span.name === rootName && (traceId === undefined || span.traceId === traceId),
          );
          if (!root) return;
          pendingChecks.delete(check);
          resolve(spans.filter((span) => span.traceId === root.traceId));
        };
        pendingChecks.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
