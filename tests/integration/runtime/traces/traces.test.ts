import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import { startJobs } from '../../../../src/server/jobs/job-queue';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, type TestService } from '../../../support/service/test-service';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';
import {
  type CollectedSpan,
  type CollectorStandIn,
  startCollectorStandIn,
} from '../../../support/stand-ins/collector-stand-in';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../../support/stand-ins/text-provider-stand-in';

const COLLECTOR_TOKEN = 'token-of-the-collector';

/** Sets variables in the process's environment, from which OpenTelemetry reads them. Returns those for the service. */
function setEnvironment(url: string, extraVariables: Record<string, string> = {}): Record<string, string> {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTOR_TOKEN}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...extraVariables,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url };
}

afterEach(() => vi.unstubAllEnvs());

/** Returns, by the name of each span, the name of its parent, or the parent's id if the parent was not collected. */
function parentNamesOf(spans: CollectedSpan[]): Record<string, string> {
  const spanById = new Map(spans.map((span) => [span.id, span]));
  return Object.fromEntries(
    spans.map(({ name, parentId }) => [name, spanById.get(parentId)?.name ?? parentId]),
  );
}

const findSpan = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)!;

describe('traces', () => {
  let collector: CollectorStandIn;
  let carrier: CarrierStandIn;
  let provider: TextProviderStandIn;
  let service: TestService;

  beforeAll(async () => {
    collector = await startCollectorStandIn();
    carrier = await startCarrierStandIn();
    provider = await startTextProviderStandIn();
    service = await startTestService({
      ...setEnvironment(collector.url, {
        OTEL_SERVICE_NAME: 'desk',
        OTEL_RESOURCE_ATTRIBUTES: 'region=here',
      }),
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      OPENAI_API_KEY: 'stand-in',
      OPENAI_BASE_URL: provider.url,
    });
  });
  afterAll(async () => {
    await service?.close();
    await collector?.close();
    await carrier?.close();
    await provider?.close();
  });

  it('of a request continue the caller’s trace, with spans for the request, the procedure and the statements', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const parentId = 'b7ad6b7169203331';
    await service.send('/api/legos-head', { headers: { traceparent: `00-${traceId}-${parentId}-01` } });
    const spans = await collector.waitForTrace('GET /api/legos-head', traceId);
    expect(parentNamesOf(spans)).toMatchObject({
      'GET /api/legos-head': parentId,
      'procedure catalog.headCodes': 'GET /api/legos-head',
      'keys.findKey': 'GET /api/legos-head',
    });
    expect(findSpan(spans, 'GET /api/legos-head').attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/legos-head',
      'http.response.status_code': 200,
    });
    expect(service.readLog()).toContain(`"traceId":"${traceId}"`);
  });

  it('of an import show its statements and what the worker thread did, and nothing that was imported', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      receipt_id: `41650988${index}`,
      transaction_id: String(index),
      title: 'Fox Sticker',
      buyer: 'Wynn Ellery',
      quantity: 2,
      tracking_number: `LX${100_000_000 + index}CN`,
    }));
    expect((await service.importRows(rows)).status).toBe(200);
    const spans = await collector.waitForTrace('POST /api/orders/import');
    const parentNames = parentNamesOf(spans);
    expect(parentNames).toMatchObject({
      'POST /api/orders/import': '',
      'procedure orders.import': 'POST /api/orders/import',
      read: 'procedure orders.import',
      'worker thread': 'read',
      BEGIN: 'procedure orders.import',
      COMMIT: 'procedure orders.import',
    });
    expect(Object.keys(parentNames).filter((name) => name.startsWith('import.')).length).toBeGreaterThan(2);
    expect(findSpan(spans, 'procedure orders.import').attributes).toEqual({
      'brickdesk.import.source': 'api',
      'brickdesk.import.outcome': 'succeeded',
      'brickdesk.import.rows': 1_000,
    });
    const tracedText = Buffer.concat(collector.bodies).toString('latin1');
    expect(tracedText).toContain('worker thread');
    for (const secret of [service.key, '41650988', 'Fox Sticker', 'Wynn', 'LX100000', COLLECTOR_TOKEN])
      expect(tracedText).not.toContain(secret);
  });

  it('show why a request was refused, and quote nothing from it', async () => {
    await service.importRows([{ receipt_id: '1', transaction_id: '1', quantity: 'SECRET-NUMBER' }]);
    await service.send('/api/SECRET-PATH?key=SECRET-QUERY');
    const spans = await collector.waitForTrace('GET -');
    expect(findSpan(spans, 'GET -').attributes['http.response.status_code']).toBe(404);
    const failedSpans = collector.spans.filter(({ failed }) => failed);
    expect(failedSpans.map(({ name, attributes }) => [name, attributes['error.type']])).toContainEqual([
      'procedure orders.import',
      'validation_failed',
    ]);
    expect(Buffer.concat(collector.bodies).toString('latin1')).not.toContain('SECRET');
  });

  it('show calls to other systems, which do not receive the trace, and nothing of what was sent', async () => {
    await service.send('/api/logistics?tracking_number=GOOD1');
    carrier.script('GOOD1', { kind: 'status', status: 500 });
    await service.send('/api/logistics?tracking_number=GOOD1');
    await service.app.services.textProvider!.write([{ role: 'user', content: 'SECRET-WORDS' }]);
    await collector.waitForTrace('text provider write');
    const [goodSpan, badSpan] = collector.spans.filter(({ name }) => name === 'carrier query');
    expect(goodSpan).toMatchObject({
      failed: false,
      attributes: { 'brickdesk.carrier': '17track', 'brickdesk.numbers': 1 },
    });
    expect(badSpan).toMatchObject({ failed: true, attributes: { 'error.type': 'upstream_failed' } });
    expect(carrier.requests.flatMap(({ headerNames }) => headerNames)).not.toContain('traceparent');
    expect(provider.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('traceparent');
    const tracedText = Buffer.concat(collector.bodies).toString('latin1');
    for (const sentText of ['GOOD1', 'SECRET-WORDS']) expect(tracedText).not.toContain(sentText);
  });

  it('of a background job have a root span of their own', async () => {
    const { db, keyCalls } = service.app.services;
    // Otherwise the request log may be using the idle connection when the job needs one, and a new connection begins with a statement.
    await keyCalls.flush();
    const queue = startJobs({
      databaseUrl: service.database.url,
      log: createLog('silent'),
      jobs: [{ name: 'count', intervalMinutes: 1, run: async () => void (await db.prisma.order.count()) }],
    });
    const spans = await collector.waitForTrace('job count');
    await queue.stop(1_000);
    expect(parentNamesOf(spans)).toEqual({ 'job count': '', 'SELECT orders': 'job count' });
  });

  it('name the service and its version, and are sent with the headers for the collector, which are not logged', () => {
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'desk',
      'service.version': expect.stringMatching(/^\d+\./),
      region: 'here',
    });
    expect(collector.headers[0]!.authorization).toBe(`Bearer ${COLLECTOR_TOKEN}`);
    expect(service.readLog()).not.toContain(COLLECTOR_TOKEN);
  });
});

describe('tracing', () => {
  it('uses the sampler that OTEL_TRACES_SAMPLER names', async () => {
    const collector = await startCollectorStandIn();
    const service = await startTestService(
      setEnvironment(collector.url, { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }),
    );
    await service.send('/api/legos-head');
    const sampledTraceparent = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await service.send('/api/legos-head', { headers: { traceparent: sampledTraceparent } });
    // Sends the remaining spans.
    await service.close();
    await collector.close();
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(
      new Set(['1af7651916cd43dd8448eb211c80319c']),
    );
  });

  it('does not affect the service while the collector is down, and logs once that traces cannot be sent', async () => {
    const unusedUrl = `http://127.0.0.1:${await findFreePort()}`;
    const service = await startTestService(setEnvironment(unusedUrl, { OTEL_EXPORTER_OTLP_TIMEOUT: '50' }));
    const countFailureMessages = () => service.readLog().split('traces cannot be sent').length - 1;
    expect((await service.send('/api/legos-head')).status).toBe(200);
    await vi.waitUntil(() => countFailureMessages() > 0, { timeout: 60_000 });
    expect((await service.send('/api/legos-head')).status).toBe(200);
    // Sending the last spans fails too.
    await service.close();
    expect(countFailureMessages()).toBe(1);
    expect(service.readLog()).not.toContain(COLLECTOR_TOKEN);
  });
});
