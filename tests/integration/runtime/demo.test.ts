import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../../scripts/demo/seed';
import { type StandIns, startStandIns } from '../../../scripts/demo/stand-ins';
import { createDemoCalls } from '../../../scripts/demo/text';
import { TRACKING_STATUSES } from '../../../src/server/core/statuses';
import { startTestService, type TestService } from '../../support/service/test-service';

let standIns: StandIns;
let service: TestService;

beforeAll(async () => {
  standIns = await startStandIns();
  service = await startTestService(standIns.env);
  // The demo creates its own shops and must find no others.
  await service.database.query('DELETE FROM shops');
});

afterAll(async () => {
  await service?.close();
  await standIns?.close();
});

const findKeyId = async () =>
  (await service.database.query<{ id: number }>('SELECT id FROM api_keys'))[0]!.id;

async function countBy(sql: string): Promise<Record<string, number>> {
  const rows = await service.database.query<{ label: string; count: number }>(
    `SELECT label::text, count(*)::int FROM (${sql}) AS labels(label) GROUP BY label ORDER BY label`,
  );
  return Object.fromEntries(rows.map(({ label, count }) => [label, count]));
}

const TABLES = [
  ...[
    'shops',
    'orders',
    'order_items',
    'shipments',
    'tracking_numbers',
    'tracking_events',
    'inbound_records',
  ],
  ...['products', 'shop_daily_statistics', 'product_daily_statistics', 'statistic_restatements'],
  ...['prompt_versions', 'replies', 'imports', 'audit_log'],
];

/** Returns, for each of TABLES, the number of its rows and a hash of them. */
async function readFingerprints(): Promise<unknown> {
  const selects = TABLES.map(
    (table) =>
      `SELECT '${table}' AS name, count(*)::int, md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t`,
  );
  return service.database.query(`${selects.join(' UNION ALL ')} ORDER BY 1`);
}

it('the demo finishes interrupted seeding, creates data of every kind, and changes nothing when it runs again', async () => {
  const { services } = service.app;
  // Without a text provider the last part fails, as if the process had died there.
  const servicesWithoutTextProvider = { ...services, textProvider: null };
  await expect(seedDemo(servicesWithoutTextProvider, await findKeyId())).rejects.toThrow(
    'No text provider is configured',
  );
  const steps: string[] = [];
  const firstDemo = await seedDemo(services, await findKeyId(), (line) => steps.push(line));
  expect(steps).toEqual(['Finishing the demo data, which was interrupted ...']);

  expect(await service.database.query('SELECT name FROM shops WHERE shop_id IS NOT NULL')).toHaveLength(3);
  expect(await service.database.query('SELECT id FROM orders')).toHaveLength(1_000);
  expect(Object.keys(await countBy('SELECT status FROM orders')).sort()).toEqual([
    'cancelled',
    'delivered',
    'paid',
    'pending',
    'shipped',
  ]);
  const trackingStatuses = Object.keys(
    await countBy('SELECT tracking_status FROM orders WHERE tracking_status IS NOT NULL'),
  );
  expect(trackingStatuses.sort()).toEqual([...TRACKING_STATUSES].sort());
  const productCounts = await countBy(
    'SELECT c.name FROM products p JOIN categories c ON c.id = p.category_id',
  );
  expect(productCounts).toEqual({ head: 24, body: 24, hair: 24, leg: 24, brick: 24 });
  expect(Object.values(await countBy('SELECT shop_id FROM shop_daily_statistics'))).toEqual([90, 90, 90]);
  const daysPerListing = Object.values(await countBy('SELECT listing_id FROM product_daily_statistics'));
  expect(daysPerListing).toEqual(Array.from({ length: 24 }, () => 90));
  const promptCounts = await countBy(
    `SELECT s.name FROM prompts p JOIN shops s ON s.id = p.shop_id JOIN prompt_versions v ON v.prompt_id = p.id
      WHERE v.state = 'published'`,
  );
  expect(Object.values(promptCounts)).toEqual([1, 1, 1]);
  const replyCounts = await countBy(`SELECT outcome FROM replies`);
  expect(replyCounts.answered).toBeGreaterThan(9);
  const repliesWithWarnings = await service.database.query(`SELECT 1 FROM replies WHERE warnings <> '[]'`);
  expect(repliesWithWarnings.length).toBeGreaterThan(0);
  // Days that were written twice, by both runs, had the same values both times.
  expect(await service.database.query('SELECT 1 FROM statistic_restatements')).toEqual([]);
  const unknownStatusCounts = await countBy(
    'SELECT provider_status FROM tracking_events WHERE status IS NULL',
  );
  expect(Object.values(unknownStatusCounts)).toEqual([4, 4, 4]);
  const callbacksWithSkippedEntries = await service.database.query(
    `SELECT 1 FROM inbound_records WHERE (result->>'left_out_count')::int > 0`,
  );
  expect(callbacksWithSkippedEntries).toHaveLength(1);
  const futureEvents = await service.database.query(
    'SELECT 1 FROM tracking_events WHERE occurred_at > now()',
  );
  expect(futureEvents).toEqual([]);

  // The imports become searchable in the background, which changes their rows.
  await services.searchIndexer.finishIndexing();
  const fingerprints = await readFingerprints();
  const secondDemo = await seedDemo({ ...services, now: () => Date.now() + 86_400_000 }, await findKeyId());
  expect(secondDemo).toEqual(firstDemo);
  expect(await readFingerprints()).toEqual(fingerprints);

  standIns.loadShipments(firstDemo);
  const calls = createDemoCalls(firstDemo, service.url, service.key);
  expect(calls).toHaveLength(5);
  for (const call of calls) {
    const url = /"(http[^"]*)"/.exec(call)![1]!;
    const body = / -d '(.*)'$/.exec(call)?.[1];
    const { status, text } = await service.send(
      url.slice(service.url.length),
      body ? { body: JSON.parse(body) } : {},
    );
    expect([status, text], call).toEqual([200, expect.stringMatching(/.{40}/)]);
  }
}, 120_000);
