import type { z } from 'zod';
import type { Database } from '../../db/client';
import type { orderWithNumber } from './schema';
import * as sql from './shared-numbers.queries';

/**
 * Returns which of the normalised tracking numbers several orders have, in all shops, each with its newest orders (six at most).
 * Orders may share a number, but more often somebody has mistaken the row.
 */
export async function listSharedNumbers(
  db: Database,
  trackingNumbers: readonly string[],
): Promise<Map<string, z.output<typeof orderWithNumber>[]>> {
  if (trackingNumbers.length === 0) return new Map();
  const rows = await sql.listSharedNumbers.run(db.pool, { trackingNumbers });
  return new Map(rows.map((row) => [row.tracking_number, row.orders as z.output<typeof orderWithNumber>[]]));
}
