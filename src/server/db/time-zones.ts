import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from './client';
import * as sql from './time-zones.queries';

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/** Returns whether the database knows a time zone: its list of zones differs from Node's and the browsers'. */
export async function isTimeZone(tx: Transaction, timeZone: string): Promise<boolean> {
  const [zone] = await sql.isTimeZone.runIn(tx, { timeZone });
  return zone!.known;
}

/** @throws ServiceError `validation_failed` if the database does not know the time zone */
export async function requireTimeZone(tx: Transaction, timeZone: string | undefined): Promise<void> {
  if (timeZone === undefined || (await isTimeZone(tx, timeZone))) return;
  throw invalidField('time_zone', createReason('shop.timeZone'));
}
