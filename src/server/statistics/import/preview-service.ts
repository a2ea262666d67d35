import { validationError } from '../../core/errors/errors';
import { withCsvText } from '../../core/text/table';
import type { Database } from '../../db/client';
import { listKnownShops } from '../calendar-service';
import { MAX_EXTRA_BYTES } from '../extra';
import {
  type Day,
  type DayKind,
  readDays,
  SETTINGS_BY_KIND,
  shopIdOf,
  toRowsJson,
  toSizeProblems,
} from './day-rows';

/** The maximum number of unknown marketplace shop IDs that a preview names. */
const MAX_UNKNOWN_SHOPS = 20;

/** What an import would do. */
interface DayImportPreview {
  inserted: number;
  /** How many of the days are stored already. */
  stored: number;
  /** The first marketplace shop IDs that none of our shops has and that have no statistics yet. */
  unknown_shop_ids: string[];
  unknown_shop_count: number;
}

/**
 * Returns what an import of this text would do now; nothing is stored.
 *
 * @throws ServiceError `validation_failed` like the import itself
 */
export function previewDays(
  db: Database,
  { kind, csv }: { kind: DayKind; csv: string },
): Promise<DayImportPreview> {
  return withCsvText(csv, async (sheet) => {
    const days = await readDays(kind, sheet);
    const { countStoredDays, findDaysOverLimit } = SETTINGS_BY_KIND[kind];
    const rowsJson = toRowsJson(days);
    const rowsOverLimit = await findDaysOverLimit.run(db.pool, { rowsJson, maxBytes: MAX_EXTRA_BYTES });
    if (rowsOverLimit.length > 0) throw validationError(toSizeProblems(rowsOverLimit, days));
    const [stored] = await countStoredDays.run(db.pool, { rowsJson });
    const unknownShopIds = await findUnknownShops(db, days);
    return {
      inserted: days.length - stored!.count,
      stored: stored!.count,
      unknown_shop_ids: unknownShopIds.slice(0, MAX_UNKNOWN_SHOPS),
      unknown_shop_count: unknownShopIds.length,
    };
  });
}

/** Returns the marketplace shop IDs that no shop has, not even an archived one, and that have no statistics. */
async function findUnknownShops(db: Database, days: readonly Day[]): Promise<string[]> {
  const shopIds = [...new Set(days.map(shopIdOf))];
  const [knownShops, shops] = await Promise.all([
    listKnownShops(db),
    db.prisma.shop.findMany({ where: { shopId: { in: shopIds } }, select: { shopId: true } }),
  ]);
  const knownIds = new Set([
    ...knownShops.map(({ shop_id: shopId }) => shopId),
    ...shops.map(({ shopId }) => shopId),
  ]);
  return shopIds.filter((shopId) => !knownIds.has(shopId));
}
