import type pg from 'pg';
import { unlimitedPool } from './page-reads';
import { inTransaction } from './transaction';

/** Returns how many shards the orders are split into; 1 without Citus, or if they are not distributed. */
export async function countShards(connection: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows: catalogs } = await connection.query<{ exists: boolean }>(
    `SELECT to_regclass('pg_dist_shard') IS NOT NULL AS exists`,
  );
  if (!catalogs[0]?.exists) return 1;
  const { rows } = await connection.query<{ shardCount: number }>(
    `SELECT greatest(count(*), 1)::int AS "shardCount" FROM pg_dist_shard WHERE logicalrelid = 'orders'::regclass`,
  );
  return rows[0]!.shardCount;
}

/** The number of shards by pool. If the number changes later, counts become slower, not wrong. */
const shardCountPromises = new WeakMap<pg.Pool, Promise<number>>();

/** Returns the number of shards, which is queried once per pool. */
function countShardsOnce(pool: pg.Pool): Promise<number> {
  const cachedPromise = shardCountPromises.get(pool);
  if (cachedPromise) return cachedPromise;
  const countPromise = countShards(pool);
  shardCountPromises.set(pool, countPromise);
  countPromise.catch(() => shardCountPromises.delete(pool));
  return countPromise;
}

/**
 * Runs statements that count the rows of subqueries with a `LIMIT`. Each shard of a cluster then counts its own rows up to the
 * limit and sends only the count, instead of sending up to that many rows to the coordinator. A count may therefore exceed the
 * limit, and a statement must not depend on which rows are within it.
 *
 * The statements need a `LIMIT` of their own, or Citus refuses them. Without Citus the setting has no effect.
 */
function withLimitsOnShards<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, work, 'citus.subquery_pushdown TO on');
}

/**
 * Returns counts over all shards by name, each up to a limit. Each shard first counts only its share of the limit, so that
 * together they do no more work than one server. If a sum does not show whether a shard stopped too early, each counts up to the
 * whole limit.
 *
 * @param countRows runs the statement, which must meet the conditions of {@link withLimitsOnShards}, with a limit for each shard
 * @returns the counts, exact up to the limit
 */
export async function countOnShards(
  pool: pg.Pool,
  limit: number,
  countRows: (client: pg.PoolClient, shardLimit: number) => Promise<Map<string, number>>,
): Promise<Map<string, number>> {
  const shardLimit = Math.ceil(limit / (await countShardsOnce(unlimitedPool(pool))));
  const counts = await withLimitsOnShards(pool, (client) => countRows(client, shardLimit));
  const isExact = [...counts.values()].every((sum) => sum < shardLimit || sum >= limit);
  return isExact ? counts : withLimitsOnShards(pool, (client) => countRows(client, limit));
}
