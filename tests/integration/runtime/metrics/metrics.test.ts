import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import { startMetricsEndpoint } from '../../../../src/server/runtime/metrics/endpoint';
import { startTestService, type TestService } from '../../../support/service/test-service';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../../support/stand-ins/text-provider-stand-in';

let service: TestService;
let carrier: CarrierStandIn;
let provider: TextProviderStandIn;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  provider = await startTextProviderStandIn();
  service = await startTestService({
    METRICS_PORT: '0',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
  });
});
afterAll(async () => {
  await service?.close();
  await carrier?.close();
  await provider?.close();
});

const getMetricsUrl = () => `http://127.0.0.1:${service.app.metricsPort}/metrics`;
const readMetrics = async () => (await fetch(getMetricsUrl())).text();

/** Returns the names of the metrics that the service has. */
const readServedNames = async () =>
  [...(await readMetrics()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!);

/** Returns the names of metrics in a file. */
const readNamesIn = async (file: string) =>
  [...(await readFile(file, 'utf8')).matchAll(/\b(?:brickdesk|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|count)$/, ''),
  );

/** Returns the values of a metric, keyed by their labels as Prometheus writes labels. */
async function readValues(name: string): Promise<Record<string, number>> {
  const lines = (await readMetrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' '))),
    ]),
  );
}

const ROW = { receipt_id: '1', transaction_id: '1', title: 'Fox', quantity: 1, price: '5.00' };

describe('metrics', () => {
  it('are served on a port of their own and nowhere else', async () => {
    const response = await fetch(getMetricsUrl());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toContain('# TYPE nodejs_eventloop_lag_p99_seconds gauge');
    expect((await service.send('/metrics')).status).toBe(404);
    const otherPathResponse = await fetch(getMetricsUrl().replace('/metrics', '/api/legos-sku'));
    expect(otherPathResponse.status).toBe(404);
    expect((await fetch(getMetricsUrl(), { method: 'POST' })).status).toBe(405);
  });

  it('count requests by route and status, and put no text from callers into labels', async () => {
    await service.send('/api/legos-head');
    await service.send('/api/legos-head', { headers: { 'X-Api-Key': 'wrong' } });
    await service.send('/api/trpc/nothing.SECRET-NAME');
    await service.send('/api/SECRET-PATH?key=SECRET-QUERY');
    const counts = await readValues('brickdesk_http_request_duration_seconds_count');
    expect(counts).toMatchObject({
      '{method="GET",route="/api/legos-head",status="200"}': 1,
      '{method="GET",route="/api/legos-head",status="401"}': 1,
    });
    expect(await readMetrics()).not.toContain('SECRET');
  });

  it('count imports by source and outcome, and their rows', async () => {
    await service.importRows([ROW, { ...ROW, transaction_id: '2' }]);
    await service.importRows([ROW, { ...ROW, quantity: 'many' }]);
    expect(await readValues('brickdesk_import_duration_seconds_count')).toEqual({
      '{source="api",outcome="succeeded"}': 1,
      '{source="api",outcome="rejected"}': 1,
    });
    expect(await readValues('brickdesk_import_rows_total')).toEqual({ '{source="api"}': 2 });
  });

  it('count calls to the carrier and the text provider by outcome, and the tokens used', async () => {
    await service.send('/api/logistics?tracking_number=GOOD1');
    carrier.script('GOOD1', { kind: 'status', status: 500 });
    await service.send('/api/logistics?tracking_number=GOOD1');
    await service.app.services.textProvider!.write([{ role: 'user', content: 'Hello' }]);
    provider.script({ kind: 'status', status: 401 });
    await service.app.services.textProvider!.write([{ role: 'user', content: 'Hello' }]).catch(() => null);
    expect(await readValues('brickdesk_upstream_duration_seconds_count')).toEqual({
      '{upstream="carrier",outcome="ok"}': 1,
      '{upstream="carrier",outcome="upstream_failed"}': 1,
      '{upstream="text_provider",outcome="ok"}': 1,
      '{upstream="text_provider",outcome="refused"}': 1,
    });
    const tokenCounts = await readValues('brickdesk_text_provider_tokens_total');
    expect(tokenCounts['{direction="input"}']).toBeGreaterThan(0);
    expect(tokenCounts['{direction="output"}']).toBeGreaterThan(0);
  });

  it('show whether the circuit breaker for the carrier is open', async () => {
    expect(await readValues('brickdesk_carrier_circuit_open')).toEqual({ '': 0 });
    carrier.script('BROKEN1', { kind: 'status', status: 500 });
    for (let n = 0; n < 5; n++) await service.send('/api/logistics?tracking_number=BROKEN1');
    expect(await readValues('brickdesk_carrier_circuit_open')).toEqual({ '': 1 });
  });

  it('show what is waiting in the database, since when, and how connections are used', async () => {
    await service.app.services.searchIndexer.finishIndexing();
    expect(await readValues('brickdesk_database_up')).toEqual({ '': 1 });
    expect(await readValues('brickdesk_backlog')).toMatchObject({
      '{kind="search"}': 0,
      '{kind="notifications"}': 0,
    });
    await service.database.query(
      `UPDATE imports SET searchable = false, created_at = now() - interval '1 hour' WHERE outcome = 'succeeded'`,
    );
    expect(await readValues('brickdesk_backlog')).toMatchObject({ '{kind="search"}': 1 });
    const { '{kind="search"}': age } = await readValues('brickdesk_backlog_oldest_seconds');
    expect(age).toBeGreaterThan(3_500);
    expect(age).toBeLessThan(3_700);
    const connections = await readValues('brickdesk_database_connections');
    expect(connections['{pool="work",state="waiting"}']).toBe(0);
    const client = await service.app.services.db.bulkPool.connect();
    try {
      const busyCount = (await readValues('brickdesk_database_connections'))['{pool="bulk",state="busy"}'];
      expect(busyCount).toBe(1);
    } finally {
      client.release();
    }
  });

  it('count only the notifications that a server would send now', async () => {
    const [deactivatedUser] = await service.database.query<{ id: number }>(
      `INSERT INTO users (email, name, role, deactivated_at) VALUES ('gone@shop.example', 'Gone', 'viewer', now()) RETURNING id`,
    );
    const addChannel = async (userId: number | null, isActive: boolean) => {
      const [channel] = await service.database.query<{ id: number }>(
        `INSERT INTO notification_channels (user_id, vendor, name, url, send_at, time_zone, locale, empty_days, active)
         VALUES ($1, 'slack', 'Chat', 'x', '00:00', 'UTC', 'en', false, $2) RETURNING id`,
        [userId, isActive],
      );
      return channel!.id;
    };
    const teamChannelId = await addChannel(null, true);
    for (const [channelId, kind, state, dueSql] of [
      [teamChannelId, 'late', 'waiting', `now() - interval '2 hours'`],
      [teamChannelId, 'exception', 'waiting', `now() + interval '1 hour'`],
      // The row that is left behind if a process ends while it sends a test message.
      [teamChannelId, 'test', 'sending', `'infinity'`],
      [await addChannel(null, false), 'late', 'waiting', `now() - interval '3 hours'`],
      [await addChannel(deactivatedUser!.id, true), 'late', 'waiting', `now() - interval '4 hours'`],
    ])
      await service.database.query(
        `INSERT INTO notifications (channel_id, kind, period, message, state, due_at) VALUES ($1, $2, '', '{}', $3, ${dueSql})`,
        [channelId, kind, state],
      );
    expect(await readValues('brickdesk_database_up')).toEqual({ '': 1 });
    expect(await readValues('brickdesk_backlog')).toMatchObject({ '{kind="notifications"}': 1 });
    const { '{kind="notifications"}': age } = await readValues('brickdesk_backlog_oldest_seconds');
    expect(age).toBeGreaterThan(2 * 3_600 - 100);
    expect(age).toBeLessThan(2 * 3_600 + 100);
  });

  it('do not report the database as unreachable if a statement for the metrics fails, which is logged as an error', async () => {
    await service.database.query('ALTER TABLE notifications RENAME TO renamed_notifications');
    try {
      expect(await readValues('brickdesk_database_up')).toEqual({ '': 1 });
      expect(await readValues('brickdesk_backlog')).toEqual({});
    } finally {
      await service.database.query('ALTER TABLE renamed_notifications RENAME TO notifications');
    }
    expect(service.readLog()).toMatch(
      /"level":"error".*"msg":"the backlog could not be read for the metrics"/,
    );
    expect(await readValues('brickdesk_backlog')).toMatchObject({ '{kind="search"}': expect.any(Number) });
  });

  it.each(['docs/metrics.md', 'deploy/metrics/alerts.yml', 'deploy/metrics/dashboard.json'])(
    'include every metric that %s names',
    async (file) => {
      const servedNames = await readServedNames();
      expect(
        (await readNamesIn(file)).filter((name) => !servedNames.includes(name)),
        `${file} names metrics that are not served`,
      ).toEqual([]);
    },
  );

  it('are all in the table of docs/metrics.md', async () => {
    const documentedNames = await readNamesIn('docs/metrics.md');
    const ownNames = (await readServedNames()).filter((name) => name.startsWith('brickdesk_'));
    expect(
      ownNames.filter((name) => !documentedNames.includes(name)),
      'Add a row for each of these metrics to the table in docs/metrics.md',
    ).toEqual([]);
  });

  it('result in 500 each time they cannot be read, and the error is logged', async () => {
    const refresh = () => Promise.reject(new Error('gone'));
    const logLines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logLines.push(String(chunk));
        done();
      },
    });
    const log = createLog('info', sink);
    const registry = new Registry();
    const endpoint = await startMetricsEndpoint({ host: '127.0.0.1', port: 0, registry, refresh, log });
    try {
      for (let n = 0; n < 2; n++)
        expect((await fetch(`http://127.0.0.1:${endpoint.port}/metrics`)).status).toBe(500);
      expect(logLines.join('')).toContain('the metrics could not be read');
    } finally {
      await endpoint.stop();
    }
  });

  it('prevent the start if their address cannot be used, with an error that names the setting', async () => {
    const { metricsPort } = service.app;
    const start = (host: string, port: number) =>
      startMetricsEndpoint({
        host,
        port,
        registry: new Registry(),
        refresh: () => Promise.resolve(),
        log: createLog('silent'),
      });
    await expect(start('127.0.0.1', metricsPort!)).rejects.toThrow(
      `METRICS_PORT: 127.0.0.1:${metricsPort} is in use by another program. Stop it, or use another port: METRICS_PORT=9465 npm start`,
    );
    await expect(start('192.0.2.1', 0)).rejects.toThrow(
      'METRICS_HOST: 192.0.2.1 is not an address of this machine.',
    );
  });
});
