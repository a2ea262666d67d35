import type { z } from 'zod';
import type { Database } from '../../db/client';
import { readCarrierCodes } from './carrier-codes-service';
import type { shipmentListInput } from './schema';
import * as sql from './shipments.queries';

/**
 * If a shop or a carrier has at most this many tracking numbers, they are read first: going through all numbers by time could read
 * every number that is stored. If it has more, a page is usually full much sooner.
 */
const MAX_CANDIDATES = 20_000;

/** Tracking numbers; `many` if there are too many to read first, `unknown` if it is not known how many there are. */
type Candidates = string[] | 'many' | 'unknown';

/** Numbers that have been counted and can be listed. */
interface Source {
  count: number;
  list(): Promise<{ tracking_number: string }[]>;
}

const limit = MAX_CANDIDATES + 1;

/** Counts the numbers with shipments of some shops. */
async function countNumbersOfShops({ pool }: Database, shopIds: readonly number[]): Promise<Source> {
  const [row] = await sql.countNumbersOfShops.run(pool, { shopIds, limit });
  return { count: row!.count, list: () => sql.listNumbersOfShops.run(pool, { shopIds }) };
}

/** Counts the numbers that were reported or stored with a carrier. Null if there are too many codes to know all of its spellings. */
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
