import type { z } from 'zod';
import type { Database } from '../../db/client';
import { readCarrierCodes } from './carrier-codes-service';
import type { shipmentListInput } from './schema';
import * as sql from './shipments.queries';

/**
 * Up to how many numbers of a shop or carrier are read by themselves. Finding them among all numbers by time may read every number
 * that is stored; with more of them, a page is usually full much sooner.
 */
const MAX_CANDIDATES = 20_000;

/** Some tracking numbers, or that there are more than are worth reading, or that this is not known. */
type Candidates = string[] | 'many' | 'unknown';

/** Numbers that have been counted and can be listed. */
interface Source {
  count: number;
  list(): Promise<{ tracking_number: string }[]>;
}

const limit = MAX_CANDIDATES + 1;

/** The numbers with shipments of some shops. */
async function countNumbersOfShops({ pool }: Database, shopIds: readonly number[]): Promise<Source> {
  const [row] = await sql.countNumbersOfShops.run(pool, { shopIds, limit });
  return { count: row!.count, list: () => sql.listNumbersOfShops.run(pool, { shopIds }) };
}

/** The numbers that were reported or stored with a carrier; null if there are too many codes to know all of its spellings. */
async function countNumbersOfCarrier(db: Database, carrier: string): Promise<Source | null> {
  const { spellingsByCode, isComplete } = await readCarrierCodes(db);
  if (!isComplete) return null;
  const codes = spellingsByCode.get(carrier.toLowerCase()) ?? [];
  const [row] = await sql.countNumbersOfCarrier.run(db.pool, { codes, limit });
  return { count: row!.count, list: () => sql.listNumbersOfCarrier.run(db.pool, { codes }) };
}

/**
 * Returns numbers among which are all that the query lists: those of its shops or those of its carrier, whichever are fewer. Without
 * shops and a carrier there are many.
 */
export async function findCandidates(
  db: Database,
  { shops, carrier }: z.output<typeof shipmentListInput>,
): Promise<Candidates> {
  const ofShops = shops ? await countNumbersOfShops(db, shops) : null;
  const ofCarrier = carrier === undefined ? null : await countNumbersOfCarrier(db, carrier);
  const [fewest] = [ofShops, ofCarrier].filter((source) => source !== null).sort((a, b) => a.count - b.count);
  if (fewest && fewest.count <= MAX_CANDIDATES) {
    const rows = await fewest.list();
    return rows.map((row) => row.tracking_number);
  }
  return carrier !== undefined && !ofCarrier ? 'unknown' : 'many';
}
