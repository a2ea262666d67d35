import type { Prisma } from '../../generated/prisma/client';
import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import * as sql from './time-zones.queries';

/** Returns whether the database knows a time zone: its list of zones differs from Node's and the browsers'. */
export async function isTimeZone(tx: Prisma.TransactionClient, timeZone: string): Promise<boolean> {
  const [row] = await sql.isTimeZone.runIn(tx, { timeZone });
  return row!.isKnown;
}

/** @throws ServiceError `validation_failed` if the database does not know the time zone */
export async function requireTimeZone(
  tx: Prisma.TransactionClient,
  timeZone: string | undefined,
): Promise<void> {
  if (timeZone === undefined || (await isTimeZone(tx, timeZone))) return;
  throw invalidField('time_zone', createReason('shop.timeZone'));
}
