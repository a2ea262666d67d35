import type { Database } from '../db/client';
import * as sql from './catalog.queries';

/** Returns the distinct product codes of a category, or of all categories if null, sorted and without those of archived products. */
export async function listProductCodes(db: Database, category: string | null): Promise<string[]> {
  const [row] = await sql.listProductCodes.runPrepared(db.lookups, { category });
  return row!.codes;
}

/** Returns the category names in their stored order. */
export async function listCategoryNames(db: Database): Promise<string[]> {
  const [row] = await sql.listCategoryNames.runPrepared(db.lookups);
  return row!.names;
}
