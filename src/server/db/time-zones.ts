import type { Prisma } from '../../generated/prisma/client';
import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import * as sql from './time-zones.queries';

/**
 * Finds a time zone by its name in upper or lower case. Returns the name as the database spells it, or null if the database does
 * not know the zone: its list differs from Node's and the browsers'. An older name of a zone stays, such as Asia/Calcutta.
 */
export async function findTimeZone(tx: Prisma.TransactionClient, timeZone: string): Promise<string | null> {
  const [row] = await sql.findTimeZone.runIn(tx, { timeZone });
  return row?.name ?? null;
}

/**
 * Returns the time zone as the database spells it; undefined for undefined.
 *
 * @throws ServiceError `validation_failed` if the database does not know the time zone
 */
export async function requireTimeZone(
  tx: Prisma.TransactionClient,
  timeZone: string | undefined,
): Promise<string | undefined> {
  const knownZone = timeZone === undefined ? undefined : await findTimeZone(tx, timeZone);
  if (knownZone === null) throw invalidField('time_zone', createReason('shop.timeZone'));
  return knownZone;
}
