import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../core/log';
import type { Database } from '../../db/client';
import { isDatabaseUnavailable } from '../../db/unavailable';
import { countDueMessages } from '../../notifications/delivery-service';
import { listJobQueues } from '../../settings/service';
import type { CarrierGate } from '../../tracking/carriers/carrier-gate';
import { readSearchBacklog } from './metrics.queries';

/** The sources of the gauges. */
interface GaugeSources {
  db: Database;
  carrier: CarrierGate;
  /** Returns how many imports and files are being read by worker threads, and how many are waiting for a thread. */
  countReadingTasks(): { running: number; waiting: number };
  log: Log;
}

interface Backlog {
  count: number;
  oldestSeconds: number;
}

/** Returns how much work is waiting in the database, and for how long, by kind. */
async function readBacklogs(db: Database): Promise<Map<string, Backlog>> {
  const [[searchBacklog], notificationBacklog, queues] = await Promise.all([
    readSearchBacklog.run(db.pool),
    countDueMessages(db),
    listJobQueues(db),
  ]);
  const backlogs = new Map<string, Backlog>([
    ['search', { count: searchBacklog!.waiting, oldestSeconds: searchBacklog!.seconds }],
    ['notifications', { count: notificationBacklog.waiting, oldestSeconds: notificationBacklog.seconds }],
  ]);
  for (const { name, waiting: count, oldest } of queues ?? []) {
    const oldestSeconds = oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0;
    backlogs.set(`job:${name}`, { count, oldestSeconds });
  }
  return backlogs;
}

/**
 * Adds gauges of the current state: connections, worker threads, the carrier's circuit, and the work waiting in the database.
 *
 * @returns a function that updates them all, to be called before the metrics are read. While the database cannot be reached,
 * `brickdesk_database_up` is 0. The backlogs are missing if they cannot be read for that or any other reason
 */
export function addStateGauges(registry: Registry, sources: GaugeSources): () => Promise<void> {
  const { db, carrier, countReadingTasks, log } = sources;
  const registers = [registry];
  const connectionsGauge = new Gauge({
    name: 'brickdesk_database_connections',
    help: 'Connections of this process by pool: busy, idle, and callers that are waiting for one.',
    labelNames: ['pool', 'state'] as const,
    registers,
  });
  const readingTasksGauge = new Gauge({
    name: 'brickdesk_reading_tasks',
    help: 'Large imports and files that worker threads are reading, and those that are waiting for a thread.',
    labelNames: ['state'] as const,
    registers,
  });
  const circuitGauge = new Gauge({
    name: 'brickdesk_carrier_circuit_open',
    help: '1 while the carrier is not called because it keeps failing.',
    registers,
  });
  const databaseUpGauge = new Gauge({
    name: 'brickdesk_database_up',
    help: '0 if the database could not be reached when the metrics were read.',
    registers,
  });
  const backlogGauge = new Gauge({
    name: 'brickdesk_backlog',
    help: 'Work that is waiting, by kind: imports to index, notifications to send, background jobs to run.',
    labelNames: ['kind'] as const,
    registers,
  });
  const backlogAgeGauge = new Gauge({
    name: 'brickdesk_backlog_oldest_seconds',
    help: 'How long the oldest entry of each backlog has been due.',
    labelNames: ['kind'] as const,
    registers,
  });

  return async () => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of [
      ['work', db.pool],
      ['lookups', db.lookups.pool],
      ['bulk', db.bulkPool],
    ] as const) {
      connectionsGauge.set({ pool, state: 'busy' }, totalCount - idleCount);
      connectionsGauge.set({ pool, state: 'idle' }, idleCount);
      connectionsGauge.set({ pool, state: 'waiting' }, waitingCount);
    }
    const { running, waiting } = countReadingTasks();
    readingTasksGauge.set({ state: 'running' }, running);
    readingTasksGauge.set({ state: 'waiting' }, waiting);
    circuitGauge.set(carrier.isDown() ? 1 : 0);
    let isUp = true;
    const backlogs = await readBacklogs(db).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) isUp = false;
      else log.error({ err: error }, 'the backlog could not be read for the metrics');
      return new Map<string, Backlog>();
    });
    databaseUpGauge.set(isUp ? 1 : 0);
    backlogGauge.reset();
    backlogAgeGauge.reset();
    for (const [kind, { count, oldestSeconds }] of backlogs) {
      backlogGauge.set({ kind }, count);
      backlogAgeGauge.set({ kind }, oldestSeconds);
    }
  };
}
