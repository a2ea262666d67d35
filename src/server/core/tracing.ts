/**
 * The attributes of a span (docs/traces.md): names, counts and outcomes. Never text that a caller, a buyer or another system has
 * sent: collectors store spans for weeks and show them to people who have no account here.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is being measured. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed; `reason` is a code such as `not_found`. */
  fail(reason: string): void;
}

interface SpanOptions {
  /** `client` for calls to other systems. */
  kind?: 'client';
  attributes?: SpanAttributes;
  /** Begins a trace of its own, as a background job does. */
  isRoot?: boolean;
}

/** The span of a request, which ends with its response. */
export interface RequestSpan {
  /** Links log entries to the trace. */
  readonly traceId: string;
  /** Runs `work`; spans that it starts are children of this span. */
  run<T>(work: () => T): T;
  end(name: string, attributes: SpanAttributes, hasFailed: boolean): void;
}

/** Creates spans; the implementation that exports them is in runtime/traces/. */
export interface Tracer {
  beginRequest(headers: Readonly<Record<string, string | string[] | undefined>>): RequestSpan;
  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T;
  /** Begins a child of the running span, and returns the function that ends it; null if no span is running. */
  beginChildSpan(
    createName: () => string,
    options: SpanOptions,
  ): ((error: unknown, attributes?: SpanAttributes) => void) | null;
  /** Adds a span that has ended already; times are milliseconds since the Unix epoch. */
  addChildSpan(name: string, startMs: number, endMs: number): void;
  annotate(attributes: SpanAttributes): void;
}

/** Null unless traces are exported. While it is null, the functions below create no spans. */
let tracer: Tracer | null = null;

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined };

/** Starts or ends the tracing of the process. */
export function setTracer(newTracer: Tracer | null): void {
  tracer = newTracer;
}

export const isTracing = (): boolean => tracer !== null;

/** Begins the span of a request, as part of the caller's trace if the headers name one; null if nothing is traced. */
export const beginRequest = (...args: Parameters<Tracer['beginRequest']>): RequestSpan | null =>
  tracer?.beginRequest(...args) ?? null;

/** Runs work in a span, which ends when the work or its promise does. An error that it throws marks the span as failed. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T {
  return tracer ? tracer.inSpan(name, options, work) : work(NO_SPAN);
}

/**
 * Begins a span for work that ends in a callback, and returns the function that ends it, to be called once with the error or
 * null. Returns null if nothing is traced or no span is running.
 */
export const beginChildSpan: Tracer['beginChildSpan'] = (...args) => tracer?.beginChildSpan(...args) ?? null;

/** Adds to the current span a piece of work that was measured elsewhere, as in a worker thread. */
export const addChildSpan: Tracer['addChildSpan'] = (...args) => tracer?.addChildSpan(...args);

/** Adds attributes to the current span. */
export const annotate: Tracer['annotate'] = (attributes) => tracer?.annotate(attributes);
