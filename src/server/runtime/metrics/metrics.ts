import { Counter, Histogram, Registry } from 'prom-client';
import { isServiceError } from '../../core/errors/errors';
import type { CallRecorder } from '../../http/call-record';
import { type TextProvider, TextProviderError } from '../../messages/text-provider';
import type { FinishedImportEvent } from '../../orders/import/service';
import type { CarrierGate } from '../../tracking/carriers/carrier-gate';

/** The metrics of one process: counts and durations since its start (docs/metrics.md). */
export interface Metrics {
  registry: Registry;
  /** Counts and times a completed request. */
  countRequest: CallRecorder;
  /** Counts a completed import, whatever its outcome. */
  countImport(event: FinishedImportEvent): void;
  /** Counts a read that a replica may serve. */
  countReplicaRead(fromReplica: boolean): void;
  /** Wraps a carrier so that its queries are measured. */
  measureCarrier(gate: CarrierGate): CarrierGate;
  /** Wraps a text provider so that its calls are timed and its tokens counted. */
  measureTextProvider(provider: TextProvider): TextProvider;
}

/** The buckets of requests, in seconds: from a cached page to the longest import. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
/** The buckets of calls to other systems, in seconds. These take longer, up to their timeouts. */
const UPSTREAM_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** Creates the metrics, all at zero. No label contains text that a caller chose: each has a small, fixed set of values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requestDurations = new Histogram({
    name: 'brickdesk_http_request_duration_seconds',
    help: 'Requests by method, route and status, from the first byte to the end of the response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const importDurations = new Histogram({
    name: 'brickdesk_import_duration_seconds',
    help: 'Order imports by source and outcome.',
    labelNames: ['source', 'outcome'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const importedRowCounter = new Counter({
    name: 'brickdesk_import_rows_total',
    help: 'Rows of successful order imports.',
    labelNames: ['source'] as const,
    registers,
  });
  const upstreamDurations = new Histogram({
    name: 'brickdesk_upstream_duration_seconds',
    help: 'Calls to the carrier and the text provider by outcome, including retries.',
    labelNames: ['upstream', 'outcome'] as const,
    buckets: UPSTREAM_BUCKETS,
    registers,
  });
  const tokenCounter = new Counter({
    name: 'brickdesk_text_provider_tokens_total',
    help: 'Tokens that the text provider has charged.',
    labelNames: ['direction'] as const,
    registers,
  });

  const replicaReadCounter = new Counter({
    name: 'brickdesk_replica_reads_total',
    help: 'Reads that a replica may serve, by the database that served them: replica or primary.',
    labelNames: ['database'] as const,
    registers,
  });

  async function measureCall<T>(
    name: 'carrier' | 'text_provider',
    work: () => Promise<T>,
    outcomeOf: (error: unknown) => string,
  ): Promise<T> {
    const startMs = performance.now();
    const observe = (outcome: string) =>
      upstreamDurations.observe({ upstream: name, outcome }, (performance.now() - startMs) / 1000);
    try {
      const result = await work();
      observe('ok');
      return result;
    } catch (error) {
      observe(outcomeOf(error));
      throw error;
    }
  }

  return {
    registry,
    countRequest({ req, route }, status, durationMs) {
      requestDurations.observe({ method: req.method ?? 'GET', route, status }, durationMs / 1000);
    },
    countImport({ source, outcome, rowCount, durationMs }) {
      importDurations.observe({ source, outcome }, durationMs / 1000);
      if (outcome === 'succeeded') importedRowCounter.inc({ source }, rowCount);
    },
    countReplicaRead(fromReplica) {
      replicaReadCounter.inc({ database: fromReplica ? 'replica' : 'primary' });
    },
    measureCarrier: (gate) => ({
      ...gate,
      query: (numbers) =>
        measureCall(
          'carrier',
          () => gate.query(numbers),
          (error) => (isServiceError(error) ? error.code : 'error'),
        ),
    }),
    measureTextProvider: (provider) => ({
      ...provider,
      async write(turns) {
        const generatedText = await measureCall(
          'text_provider',
          () => provider.write(turns),
          (error) => (error instanceof TextProviderError ? error.kind : 'error'),
        );
        tokenCounter.inc({ direction: 'input' }, generatedText.usage?.inputTokens ?? 0);
        tokenCounter.inc({ direction: 'output' }, generatedText.usage?.outputTokens ?? 0);
        return generatedText;
      },
    }),
  };
}
