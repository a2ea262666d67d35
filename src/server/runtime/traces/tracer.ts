import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { Span, SpanAttributes, Tracer } from '../../core/tracing';

/** Returns why work failed, as a code: error messages may quote what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  const isCode = (text: unknown): text is string => typeof text === 'string' && /^\w{1,40}$/.test(text);
  return [code, kind].find(isCode) ?? error.name;
}

function markFailed(span: OtelSpan, reason: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute(ATTR_ERROR_TYPE, reason);
}

/** Reads headers for the propagator. */
const HEADER_GETTER = {
  get: (headers: unknown, name: string) => (headers as Record<string, string | string[] | undefined>)[name],
  keys: (headers: unknown) => Object.keys(headers as object),
};

/**
 * Returns a tracer that creates spans with OpenTelemetry. It keeps track of the running span itself: if a tracer were registered
 * with the package, Next would use it, and Next's spans contain the paths and queries of pages.
 */
export function createTracer(otelTracer: OtelTracer): Tracer {
  const activeContext = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();

  function beginSpan(name: string, options: SpanOptions, parent: Context): [OtelSpan, Context] {
    const span = otelTracer.startSpan(name, options, parent);
    return [span, trace.setSpan(parent, span)];
  }
  /** Returns the running span; undefined once it has ended, for work that outlives its request, such as a delayed write. */
  function currentSpan(): OtelSpan | undefined {
    const context = activeContext.getStore();
    const span = context && trace.getSpan(context);
    return span?.isRecording() ? span : undefined;
  }
  const spanOptionsOf = (
    kind: 'client' | undefined,
    attributes: SpanAttributes | undefined,
  ): SpanOptions => ({
    kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    ...(attributes ? { attributes } : {}),
  });

  return {
    beginRequest(headers) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, HEADER_GETTER);
      const [span, context] = beginSpan('request', { kind: SpanKind.SERVER }, parent);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => activeContext.run(context, work),
        end(name, attributes, hasFailed) {
          span.updateName(name).setAttributes({ ...attributes });
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    inSpan(name, { kind, attributes, isRoot }, work) {
      const parent = (isRoot ? undefined : activeContext.getStore()) ?? ROOT_CONTEXT;
      const [span, context] = beginSpan(name, spanOptionsOf(kind, attributes), parent);
      const workSpan: Span = {
        set: (moreAttributes) => void span.setAttributes({ ...moreAttributes }),
        fail: (reason) => markFailed(span, reason),
      };
      const failAndRethrow = (error: unknown): never => {
        markFailed(span, reasonOf(error));
        throw error;
      };
      let isSynchronous = true;
      try {
        const result = activeContext.run(context, () => work(workSpan));
        if (!(result instanceof Promise)) return result;
        isSynchronous = false;
        return result.catch(failAndRethrow).finally(() => span.end()) as typeof result;
      } catch (error) {
        return failAndRethrow(error);
      } finally {
        if (isSynchronous) span.end();
      }
    },
    beginChildSpan(createName, { kind, attributes }) {
      if (!currentSpan()) return null;
      const [span] = beginSpan(createName(), spanOptionsOf(kind, attributes), activeContext.getStore()!);
      return (error, moreAttributes) => {
        if (error) markFailed(span, reasonOf(error));
        if (moreAttributes) span.setAttributes({ ...moreAttributes });
        span.end();
      };
    },
    addChildSpan(name, startMs, endMs) {
      if (currentSpan()) beginSpan(name, { startTime: startMs }, activeContext.getStore()!)[0].end(endMs);
    },
    annotate: (attributes) => void currentSpan()?.setAttributes({ ...attributes }),
  };
}
