import type pg from 'pg';
import { inTransaction } from '../core/postgres';

/**
 * Runs statements that count the rows of subqueries with a `LIMIT`. The servers of a cluster then count up to the limit, each
 * among its own rows, and send the counts. Otherwise each sends as many rows as the limit to the coordinator. A count may
 * therefore exceed the limit, and a statement must not depend on which rows are within it.
 *
 * The statements need a `LIMIT` of their own, or Citus refuses them. On one PostgreSQL the setting means nothing.
 */
export function withLimitsOnShards<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, work, 'citus.subquery_pushdown TO on');
}
