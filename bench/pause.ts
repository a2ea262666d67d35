import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { send } from './http-client';
import { importOverHttp } from './import';
import { atMost, type Figure, listValues } from './report';
import { makeRows } from './rows';
import type { Service } from './service';
import { quantile } from './statistics';

const ROW_COUNT = 50_000;
const ROUND_COUNT = 7;
/** The interval between requests. Each is sent on time, even if the previous one has had no response yet. */
const INTERVAL_MS = 20;

interface ProbeReport {
  pauseMs: number;
  peakRssMb: number;
}

async function askProbe(child: ChildProcess, command: 'begin' | 'report'): Promise<ProbeReport> {
  const messagePromise = once(child, 'message');
  child.send(command);
  return (await messagePromise)[0] as ProbeReport;
}

/** Returns the process's peak memory as Linux reports it, or on other systems the largest value that the probe saw. */
async function readPeakMemoryMb(child: ChildProcess, maxSeenMb: number): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes ? Number(kilobytes) / 1_024 : maxSeenMb;
}

/** Simulates another client, which alternately requests /readyz and imports one row for another shop, until `stop` is called. */
function startOtherClient(service: Service, shopId: number) {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ account_id: shopId, rows: makeRows(1, 999) }));
  const readyTimesMs: number[] = [];
  const importTimesMs: number[] = [];
  const measurementPromises: Promise<void>[] = [];
  const failures: unknown[] = [];
  const measure = async (responsePromise: Promise<{ status: number }>, timesMs: number[]) => {
    const startedAt = performance.now();
    const { status } = await responsePromise;
    timesMs.push(performance.now() - startedAt);
    if (status !== 200) failures.push(new Error(`The other client's request returned ${status}.`));
  };
  let requestCount = 0;
  const timer = setInterval(() => {
    const measurementPromise =
      requestCount++ % 2 === 0
        ? measure(send(service.port, 'GET', '/readyz', {}), readyTimesMs)
        : measure(send(service.port, 'POST', '/api/orders/import', headers, body), importTimesMs);
    measurementPromises.push(measurementPromise.catch((error: unknown) => void failures.push(error)));
  }, INTERVAL_MS);
  return {
    readyTimesMs,
    importTimesMs,
    async stop() {
      clearInterval(timer);
      await Promise.all(measurementPromises);
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Measures the service's longest pause and its memory during imports of 50,000 rows, and how long another client waits. */
export async function measurePause(service: Service): Promise<Figure[]> {
  const otherShopId = await service.createShop();
  const pausesMs: number[] = [];
  const memoryPeaksMb: number[] = [];
  const readyTimesMs: number[] = [];
  const importTimesMs: number[] = [];
  for (let round = 0; round < ROUND_COUNT; round++) {
    const rows = makeRows(ROW_COUNT, 100 + round);
    const shopId = await service.createShop();
    await service.prepareMeasurement();
    await askProbe(service.child, 'begin');
    const client = startOtherClient(service, otherShopId);
    try {
      await importOverHttp(service, shopId, rows, true);
    } finally {
      await client.stop();
    }
    const { pauseMs, peakRssMb } = await askProbe(service.child, 'report');
    pausesMs.push(pauseMs);
    memoryPeaksMb.push(peakRssMb);
    readyTimesMs.push(...client.readyTimesMs);
    importTimesMs.push(...client.importTimesMs);
  }
  const createWaitFigures = (name: string, timesMs: number[]): Figure[] =>
    [0.5, 0.99].map((share) => ({
      name: `${name} during imports, p${share * 100}`,
      value: quantile(timesMs, share),
      unit: 'ms',
      note: share === 0.5 ? `of ${timesMs.length} requests` : `longest ${Math.round(Math.max(...timesMs))}`,
    }));
  const peakMb = await readPeakMemoryMb(service.child, Math.max(...memoryPeaksMb));
  return [
    ...createWaitFigures('GET /readyz', readyTimesMs),
    ...createWaitFigures('Imports of one row for another shop', importTimesMs),
    {
      ...atMost('Longest pause during an import of 50,000 rows', Math.max(...pausesMs), 'ms', 250),
      note: listValues(pausesMs),
    },
    {
      ...atMost('Peak memory of the service', peakMb, 'MB', 450),
      note: `during imports ${listValues(memoryPeaksMb)}`,
    },
  ];
}
