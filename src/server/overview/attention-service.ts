import type { Database } from '../db/client';
import { countOpenEntries } from '../queues/service';
import * as sql from './overview.queries';
import { firstRecentDay } from './recent-imports';
import type { Overview } from './schema';

/**
 * Returns the shops with statistics in the last month but none for yesterday, by name, and which day that is in their time zone.
 * Leaves out archived shops.
 *
 * @param shopIds null for all shops
 * @param limit the maximum number of rows, null for all; each row has the total
 */
export function listShopsMissingStatistics(
  connection: Pick<Database['pool'], 'query'>,
  shopIds: number[] | null,
  { now, limit }: { now: number; limit: number | null },
): Promise<sql.ListShopsMissingStatisticsRow[]> {
  return sql.listShopsMissingStatistics.run(connection, { shopIds, now: new Date(now), limit });
}

interface Attention extends Omit<Overview['attention'], 'statistics_missing' | 'statistics_missing_count'> {
  shopsMissingStatistics: sql.ListShopsMissingStatisticsRow[];
}

/**
 * Counts what needs attention, regardless of the sale date. The overview and the daily summary use the same counts.
 *
 * @param shopIds null for all shops
 * @param timeZone the reader's
 * @param shopLimit the maximum number of shops without statistics that are listed, null for all
 */
export async function readAttention(
  db: Database,
  shopIds: number[] | null,
  { now, timeZone, shopLimit }: { now: number; timeZone: string; shopLimit: number | null },
): Promise<Attention> {
  const importsFrom = firstRecentDay(now, timeZone);
  const [openCounts, [importCountRow], shopsMissingStatistics] = await Promise.all([
    countOpenEntries(db, shopIds),
    sql.countImportsWithWarnings.run(db.pool, { shopIds, since: importsFrom.toJSDate() }),
    listShopsMissingStatistics(db.pool, shopIds, { now, limit: shopLimit }),
  ]);
  return {
    queues: openCounts.countByQueue,
    imports_with_warnings: importCountRow!.count,
    imports_from: importsFrom.toISODate()!,
    shopsMissingStatistics,
  };
}
