import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JobQueue, startJobs } from '../../../../src/server/jobs/job-queue';
import { jobsOf } from '../../../../src/server/runtime/job-list';
import type { CarrierGate } from '../../../../src/server/tracking/carriers/carrier-gate';
import { refreshShipments } from '../../../../src/server/tracking/shipments/refresh-service';
import { avoidEndOfInterval } from '../../../support/interval-end';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';
import { openGate } from '../../../support/stand-ins/carrier-clients';
import { DELIVERED } from '../../../support/stand-ins/carrier-reports';
import { type CarrierStandIn, startCarrierStandIn } from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let gate: CarrierGate;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  carrier = await startCarrierStandIn();
  gate = openGate(carrier);
  await service.database.query('TRUNCATE tracking_numbers CASCADE');
});
afterEach(() => carrier.close());

const listQueriedNumbers = () =>
  carrier.requests.filter(({ operation }) => operation === 'gettrackinfo').flatMap(({ numbers }) => numbers);
const insertShipments = (count: number, prefix = 'UNDERWAY') =>
  service.database.query(
    `INSERT INTO tracking_numbers (tracking_number, status) SELECT $1 || n, 'in_transit' FROM generate_series(1, $2::int) n`,
    [prefix, count],
  );
const runRefresh = (options: { queriedBefore?: Date; signal?: AbortSignal } = {}) =>
  refreshShipments(service.app.services.db, gate, {
    queriedBefore: new Date(),
    days: 60,
    signal: new AbortController().signal,
    ...options,
  });

describe('a refresh', () => {
  it('queries shipments in transit or with an exception and updates their orders, but skips delivered and expired ones', async () => {
    await service.importRows([
      { receipt_id: 'way', sale_date: new Date().toISOString(), tracking_number: 'WAY1' },
      { receipt_id: 'home', tracking_number: 'HOME1' },
    ]);
    await service.database.query(
      `INSERT INTO tracking_numbers (tracking_number, status) VALUES ('GONE1', 'expired'), ('SICK1', 'exception'), ('A,B', 'in_transit')`,
    );
    await service.database.query(
      `UPDATE tracking_numbers SET status = 'delivered' WHERE tracking_number = 'HOME1'`,
    );
    carrier.script('WAY1', { kind: 'known', report: DELIVERED });
    expect(await runRefresh()).toMatchObject({ queried: 2, changed: 2, updatedOrders: 1 });
    expect(listQueriedNumbers().sort()).toEqual(['SICK1', 'WAY1']);
    expect(await readStoredOrder(service.database, 'way')).toMatchObject({ tracking_status: 'delivered' });
    await runRefresh({ queriedBefore: new Date(Date.now() + 60_000) });
    expect(listQueriedNumbers().filter((number) => number === 'WAY1')).toHaveLength(1);
  });

  it('skips shipments that have had no news for too long, so that old imports use up no quota', async () => {
    await service.importRows([{ receipt_id: 'old', sale_date: '1/2/2025', tracking_number: 'OLD1' }]);
    await service.database.query(
      `INSERT INTO tracking_numbers (tracking_number, status, status_at) VALUES ('STALE1', 'in_transit', now() - interval '61 days')`,
    );
    expect(await runRefresh()).toMatchObject({ queried: 0 });
  });

  it('queries in batches of 40, least recently queried first', async () => {
    await insertShipments(100);
    await service.database.query(
      `UPDATE tracking_numbers SET asked_at = now() - interval '5 hours' WHERE tracking_number = 'UNDERWAY1'`,
    );
    expect(await runRefresh()).toMatchObject({ queried: 100 });
    expect(carrier.requests.map(({ numbers }) => numbers.length)).toEqual([40, 40, 20]);
    expect(carrier.requests[2]!.numbers).toContain('UNDERWAY1');
  });

  it('finds every due shipment once among thousands that are too old', async () => {
    await insertShipments(2_500, 'ANCIENT');
    await service.database.query(`UPDATE tracking_numbers SET created_at = now() - interval '90 days'`);
    await insertShipments(90);
    await service.database.query(
      // The time is computed here, because a cluster refuses now() in an expression with a column.
      `UPDATE tracking_numbers SET asked_at = to_timestamp(${Date.now() / 1000} - 3600 * (1 + hashtext(tracking_number) % 50))
        WHERE right(tracking_number, 1) = '3'`,
    );
    expect(await runRefresh({ queriedBefore: new Date(Date.now() + 100 * 3_600_000) })).toMatchObject({
      queried: 90,
    });
    expect(listQueriedNumbers()).toHaveLength(90);
    expect(new Set(listQueriedNumbers()).size).toBe(90);
  });

  it('queries each shipment once, even if two servers refresh at the same time', async () => {
    await insertShipments(200);
    const results = await Promise.all([runRefresh(), runRefresh()]);
    expect(results.reduce((sum, { queried: count }) => sum + count, 0)).toBe(200);
    expect(new Set(listQueriedNumbers()).size).toBe(200);
    expect(listQueriedNumbers()).toHaveLength(200);
  });

  it('registers numbers that the carrier does not track yet, and stores the time', async () => {
    await insertShipments(1, 'NEW');
    carrier.script('NEW1', { kind: 'unregistered' });
    await runRefresh();
    expect(carrier.registeredNumbers).toEqual(new Set(['NEW1']));
    const [row] = await service.database.query(
      `SELECT registered_at, asked_at FROM tracking_numbers WHERE tracking_number = 'NEW1'`,
    );
    expect(row).toEqual({ registered_at: expect.any(Date), asked_at: expect.any(Date) });
  });

  it('stops if the carrier fails, and continues with the rest in the next run', async () => {
    await insertShipments(60);
    for (let n = 1; n <= 60; n++)
      carrier.script(`UNDERWAY${n}`, { kind: 'code', code: -18010013 }, { kind: 'known' });
    const queriedBefore = new Date();
    await expect(runRefresh({ queriedBefore })).rejects.toMatchObject({ members: { source: 'carrier' } });
    for (let n = 1; n <= 60; n++) carrier.script(`UNDERWAY${n}`, { kind: 'known' });
    expect(await runRefresh({ queriedBefore })).toMatchObject({ queried: 20 });
  });

  it('ends between two queries when the service stops', async () => {
    await insertShipments(80);
    const abortController = new AbortController();
    for (let n = 1; n <= 80; n++) carrier.script(`UNDERWAY${n}`, { kind: 'slow', ms: 5 });
    const rejectionPromise = expect(runRefresh({ signal: abortController.signal })).rejects.toThrow();
    await vi.waitUntil(() => listQueriedNumbers().length > 0, { timeout: 20_000, interval: 1 });
    abortController.abort();
    await rejectionPromise;
    expect(listQueriedNumbers()).toHaveLength(40);
  });
});

describe('the scheduler', () => {
  const REFRESH_HOURS = 4;
  const queues: JobQueue[] = [];
  const startQueue = (url = service.database.url) => {
    const { services } = service.app;
    const settings = {
      recordDays: 30,
      importHistoryDays: 730,
      requestLogDays: 7,
      refreshHours: REFRESH_HOURS,
      refreshDays: 60,
      backupSettings: null,
    };
    const jobs = jobsOf({ ...services, carrier: gate }, settings);
    const queue = startJobs({ databaseUrl: url, log: services.log, jobs });
    queues.push(queue);
    return queue;
  };
  /** Makes it look as if no server had run a job recently. */
  const deleteJobs = () => service.database.query('DELETE FROM pgboss.job');
  const waitUntil = async (condition: () => boolean | Promise<boolean>) => {
    for (let n = 0; n < 400 && !(await condition()); n++) await sleep(50);
  };
  const hasJobSchema = async ({ database }: TestService) =>
    (await database.query(`SELECT to_regnamespace('pgboss') AS schema`))[0]!.schema !== null;
  beforeEach(async () => {
    // After the end of an interval, the jobs that a test has run would be due again.
    await avoidEndOfInterval(REFRESH_HOURS * 3_600_000);
    const queue = startQueue();
    await queue.ready;
    await queue.stop(5_000);
  });
  afterEach(() => Promise.all(queues.splice(0).map((queue) => queue.stop(5_000))));

  it('runs on a server unless BACKGROUND_JOBS is false', async () => {
    const [serviceWithJobs, serviceWithoutJobs] = await Promise.all(
      ['true', 'false'].map((flag) => startTestService({ BACKGROUND_JOBS: flag })),
    );
    try {
      await waitUntil(() => hasJobSchema(serviceWithJobs!));
      expect(await hasJobSchema(serviceWithJobs!)).toBe(true);
      await sleep(500);
      expect(await hasJobSchema(serviceWithoutJobs!)).toBe(false);
    } finally {
      await Promise.all([serviceWithJobs!.close(), serviceWithoutJobs!.close()]);
    }
  });

  it('refreshes each shipment once per interval, even on two servers', async () => {
    await insertShipments(90);
    await service.database.query(`UPDATE tracking_numbers SET asked_at = now() - interval '1 day'`);
    await deleteJobs();
    await Promise.all([startQueue().ready, startQueue().ready]);
    await waitUntil(() => listQueriedNumbers().length >= 90);
    await sleep(500);
    expect(listQueriedNumbers()).toHaveLength(90);
    expect(new Set(listQueriedNumbers()).size).toBe(90);
  });

  it('does not repeat a job that another server has run in this interval', async () => {
    await deleteJobs();
    const firstQueue = startQueue();
    await firstQueue.ready;
    await firstQueue.stop(5_000);
    await insertShipments(3);
    await startQueue().ready;
    await sleep(500);
    expect(listQueriedNumbers()).toEqual([]);
  });

  it('queries shipments last queried in the previous interval, even if the clock of the server is behind', async () => {
    await insertShipments(3);
    await service.database.query(`UPDATE tracking_numbers SET asked_at = now() - interval '4 hours'`);
    await deleteJobs();
    vi.setSystemTime(Date.now() - 5 * 3_600_000);
    try {
      await startQueue().ready;
      await waitUntil(() => listQueriedNumbers().length >= 3);
    } finally {
      vi.useRealTimers();
    }
    expect(listQueriedNumbers()).toHaveLength(3);
  });

  it('starts on a new database with several servers at the same time', async () => {
    await service.database.query('DROP SCHEMA pgboss CASCADE');
    const logLength = service.readLog().length;
    await Promise.all(Array.from({ length: 6 }, () => startQueue().ready));
    expect(await service.database.query('SELECT count(*)::int AS queue_count FROM pgboss.queue')).toEqual([
      { queue_count: 6 },
    ]);
    expect(service.readLog().slice(logLength)).not.toMatch(/"level":(40|50)/);
  });

  it('finishes the running query before it stops, and leaves the job to be run again', async () => {
    await insertShipments(1, 'LAST');
    carrier.script('LAST1', { kind: 'slow', ms: 700 });
    await deleteJobs();
    const queue = startQueue();
    await waitUntil(() => listQueriedNumbers().length === 1);
    await queue.stop(5_000);
    const [row] = await service.database.query(
      `SELECT status, sub_status FROM tracking_numbers WHERE tracking_number = 'LAST1'`,
    );
    expect(row).toEqual({ status: 'in_transit', sub_status: 'InTransit_PickedUp' });
    const jobs = await service.database.query(
      `SELECT state::text FROM pgboss.job WHERE name = 'refresh-shipments'`,
    );
    expect(jobs).toEqual([{ state: 'retry' }]);
  });

  it('neither ends the process nor floods the log while the database is down', async () => {
    const url = new URL(service.database.url);
    url.port = '1';
    const logLength = service.readLog().length;
    const queue = startQueue(url.href);
    await sleep(3_500);
    const logLines = service
      .readLog()
      .slice(logLength)
      .split('\n')
      .filter((line) => line.includes('background'));
    expect(logLines).toHaveLength(1);
    // Nothing is running, so stopping does not wait.
    await queue.stop(600_000);
  });
});
