import type { Database } from '../../db/client';
import * as sql from './shipments.queries';

const MAX_CODES = 200;

/** The carrier codes that are stored with shipments or were reported. */
interface CarrierCodes {
  /** How each code is spelled, by the code in lower case. */
  spellingsByCode: ReadonlyMap<string, readonly string[]>;
  /** Whether these are all codes. Only the first 200 are read. */
  isComplete: boolean;
}

/** Reads the carrier codes of all shipments. Takes one step per spelling, however many shipments have it. */
export async function readCarrierCodes(db: Database): Promise<CarrierCodes> {
  const spellingsByCode = new Map<string, string[]>();
  let spelling: string | null = '';
  while (spellingsByCode.size < MAX_CODES) {
    const [row]: sql.FindNextCarrierRow[] = await sql.findNextCarrier.runPrepared(db.pool, {
      afterCode: spelling,
    });
    spelling = row!.code;
    if (spelling === null) return { spellingsByCode, isComplete: true };
    const code = spelling.toLowerCase();
    spellingsByCode.set(code, [...(spellingsByCode.get(code) ?? []), spelling]);
  }
  return { spellingsByCode, isComplete: false };
}
