import type pg from 'pg';
import { inTransaction } from '../core/postgres';

/**
 * Runs statements that count the rows of subqueries with a `LIMIT`. Each server of a cluster then counts its own rows up to the
 * limit and sends only the count, instead of sending up to that many rows to the coordinator. A count may therefore exceed the
 * limit, and a statement must not depend on which rows are within it.
 *
 * The statements need a `LIMIT` of their own, or Citus refuses them. Without Citus the setting has no effect.
 */
export function withLimitsOnShards<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, work, 'citus.subquery_pushdown TO on');
}
