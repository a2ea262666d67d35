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

/** How long the shutdown waits for the collector; without this, the exporter would retry an unreachable one for ten seconds. */
const SHUTDOWN_TIMEOUT_MS = 2_000;

/** The running export. */
export interface Traces {
  /** Sends the remaining spans; never rejects. */
  stop(): Promise<void>;
}

/** Wraps an exporter so that it logs only when the collector stops accepting spans and when it accepts them again. */
function withLog(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing)
          log.warn({ err: result.error }, 'traces cannot be sent to the collector and are dropped');
        if (!hasFailed && isFailing) log.info('traces are being sent again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/**
 * Starts tracing and sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, in batches. The packages read this and the
 * other standard OTEL_ variables themselves; their warnings about these variables are logged. Spans wait in a queue of limited
 * size (2,048 unless OTEL_BSP_MAX_QUEUE_SIZE says otherwise) and are dropped when it is full.
 *
 * Imported only when traces are exported, so that the packages are not loaded otherwise.
 */
export function startTraces({ log, version }: { log: Log; version: string }): Traces {
  // The packages may log only while they read the environment variables: later, they would log every failure to send.
  const warn = (text: string) => log.warn({ detail: text }, 'OpenTelemetry settings');
  const ignore = () => undefined;
  diag.setLogger(
    { error: warn, warn: warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'brickdesk', [ATTR_SERVICE_VERSION]: version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = withLog(new OTLPTraceExporter(), log);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  diag.disable();
  setTracer(createTracer(provider.getTracer('brickdesk', version)));
  return {
    async stop() {
      setTracer(null);
      // A failure to send has been logged.
      const shutdownPromise = provider.shutdown().catch(ignore);
      await Promise.race([shutdownPromise, sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
