import type { z } from 'zod';
import { decodeTimeCursor, instantTextSql } from '../../core/lists/cursor';
import type { shipmentListInput } from './schema';

/** When a shipment's current status began or, without one, when its number was stored. The expression is indexed. */
const SINCE_SQL = 'coalesce(n.status_at, n.created_at)';

/**
 * Does not read orders, because these may be on other servers of a cluster. With a carrier, a cluster first collects the numbers of the
 * shipments that have it.
 */
const listStatement = (
  { withSql, table }: { withSql: string; table: string },
  conditions: readonly string[],
  limitSql: string,
) => `${withSql}
SELECT n.tracking_number, n.status, n.sub_status, ${instantTextSql(SINCE_SQL)} AS since, n.carrier_code,
       ${instantTextSql('n.asked_at')} AS asked_at, ${instantTextSql('n.registered_at')} AS registered_at
  FROM ${table} n ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
 ORDER BY ${SINCE_SQL} DESC, n.tracking_number DESC LIMIT ${limitSql}`;

const ANY_NUMBER = /^.{1,100}$/s;

/**
 * Makes PostgreSQL read the candidates first. If they were one condition among others, it might go through all numbers by time,
 * expecting to find enough candidates soon.
 */
const candidatesSql = (parameter: string) => `
WITH candidates AS MATERIALIZED (SELECT * FROM tracking_numbers WHERE tracking_number = ANY(${parameter}::text[]))`;

/** Returns the conditions for a query, and adds the values of their parameters to `values`. */
function conditionsOf(query: z.output<typeof shipmentListInput>, values: unknown[]): string[] {
  const bindParameter = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions: string[] = [];
  if (query.statuses) conditions.push(`n.status = ANY(${bindParameter(query.statuses)}::tracking_status[])`);
  if (query.shops)
    conditions.push(`EXISTS (
      SELECT FROM tracking_number_shops h
       WHERE h.tracking_number = n.tracking_number AND h.shop_id = ANY(${bindParameter(query.shops)}::int[]))`);
  if (query.carrier !== undefined) {
    const code = bindParameter(query.carrier);
    conditions.push(`(lower(n.carrier_code) = lower(${code}) OR n.tracking_number IN (
      SELECT s.tracking_number FROM shipments s WHERE lower(s.carrier_code) = lower(${code})))`);
  }
  if (query.since_from !== undefined)
    conditions.push(`${SINCE_SQL} >= ${bindParameter(query.since_from)}::timestamptz`);
  if (query.since_to !== undefined)
    conditions.push(`${SINCE_SQL} <= ${bindParameter(query.since_to)}::timestamptz`);
  if (query.cursor !== undefined) {
    const { at, id } = decodeTimeCursor(query.cursor, ANY_NUMBER);
    conditions.push(
      `(${SINCE_SQL}, n.tracking_number) < (${bindParameter(at)}::timestamptz, ${bindParameter(id)})`,
    );
  }
  return conditions;
}

/**
 * Returns the statement for a page of shipments, most recent status first. With a carrier, it returns every number that may have it;
 * `filterByCarrier` in list-service.ts decides.
 *
 * @param limit the maximum number of rows
 * @param candidates if not null, only these numbers are considered
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export function shipmentsStatement(
  query: z.output<typeof shipmentListInput>,
  limit: number,
  candidates: readonly string[] | null,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions = conditionsOf(query, values);
  const source = candidates
    ? { withSql: candidatesSql(`$${values.push(candidates)}`), table: 'candidates' }
    : { withSql: '', table: 'tracking_numbers' };
  return { text: listStatement(source, conditions, `$${values.push(limit)}::int`), values };
}
