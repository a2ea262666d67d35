import type { Database } from '../db/client';
import * as sql from './catalog.queries';

/** Codes of the products of a category, or of all where it is null: distinct, sorted, archived ones left out. */
export async function listProductCodes(db: Database, category: string | null): Promise<string[]> {
  const [row] = await sql.listProductCodes.runPrepared(db.pool, { category });
  return row!.codes;
}

/** Names of the categories in their stored order. */
export async function listCategoryNames(db: Database): Promise<string[]> {
  const [row] = await sql.listCategoryNames.runPrepared(db.pool);
  return row!.names;
}
