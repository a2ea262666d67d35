import type { Prisma } from '../../generated/prisma/client';
import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import * as sql from './time-zones.queries';

type Connection = Pick<Prisma.TransactionClient, '$queryRawUnsafe'>;

/**
 * Finds a time zone by its name in upper or lower case. Returns the name as the database spells it, or null if the database does
 * not know the zone, as its list differs from Node's and the browsers', or reads the name as an abbreviation. An older name of a
 * zone stays, such as Asia/Calcutta.
 */
export async function findTimeZone(connection: Connection, timeZone: string): Promise<string | null> {
  const [row] = await sql.findTimeZone.runIn(connection, { timeZone });
  return row?.name ?? null;
}

/**
 * Returns the time zone as the database spells it; undefined for undefined. Every time zone that a caller names is checked here
 * before it is stored or used in a statement.
 *
 * @param field the field that the error names
 * @throws ServiceError `validation_failed` if {@link findTimeZone} does not find the time zone
 */
export async function requireTimeZone<Zone extends string | undefined>(
  connection: Connection,
  timeZone: Zone,
  field = 'time_zone',
): Promise<Zone | string> {
  if (timeZone === undefined) return timeZone;
  const knownZone = await findTimeZone(connection, timeZone);
  if (knownZone === null) throw invalidField(field, createReason('shop.timeZone'));
  return knownZone;
}
