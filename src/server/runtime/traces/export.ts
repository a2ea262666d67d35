import { setTimeout as sleep } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Log } from '../../core/log';
import { setTracer } from '../../core/tracing';
import { createTracer } from './tracer';

/** How long the shutdown waits for the collector; away, it would be tried again for ten seconds. */
const LAST_SPANS_MS = 2_000;

/** The running export. */
export interface Traces {
  /** Sends the remaining spans; never rejects. */
  stop(): Promise<void>;
}

/** Logs when the collector stops accepting spans and when it accepts them again, not each failure in between. */
function logged(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code === ExportResultCode.FAILED;
        if (failed && !failing)
          log.warn({ err: result.error }, 'traces cannot be sent to the collector and are dropped');
        if (!failed && failing) log.info('traces are sent again');
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/**
 * Starts tracing and sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, in batches. The packages read it and the other
 * standard OTEL_ variables themselves; what they say about them is logged. Spans wait in a queue of limited size (2,048 unless
 * OTEL_BSP_MAX_QUEUE_SIZE says otherwise) and are dropped when it is full.
 *
 * Only imported when traces are wanted, so that the packages are not even loaded otherwise.
 */
export function startTraces({ log, version }: { log: Log; version: string }): Traces {
  // Only while the variables are read: later the packages would repeat each failure.
  const say = (text: string) => log.warn({ detail: text }, 'OpenTelemetry settings');
  const silent = () => undefined;
  diag.setLogger(
    { error: say, warn: say, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'brickdesk', [ATTR_SERVICE_VERSION]: version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = logged(new OTLPTraceExporter(), log);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  diag.disable();
  setTracer(createTracer(provider.getTracer('brickdesk', version)));
  return {
    async stop() {
      setTracer(null);
      // A failure to send has been logged.
      const sent = provider.shutdown().catch(silent);
      await Promise.race([sent, sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    },
  };
}
