import type pg from 'pg';

/**
 * SQL condition: whether PostgreSQL detects a closed connection while it runs a statement. By default, it detects this only when
 * it responds. A statement that we have given up on would then keep its locks and its place in the queue for a lock, and occupy a
 * connection beyond those of our pools.
 */
export const DETECTS_CLOSED_CONNECTIONS_SQL = `current_setting('client_connection_check_interval') <> '0'`;

/**
 * Makes the server check every two seconds whether the connections of our role still exist. The setting is a default of the role,
 * because PgBouncer refuses it as a connection parameter and, in transaction mode, may run each transaction on a different
 * connection. Keeps any value above 0 that the administrator has set.
 *
 * Cancel requests and `statement_timeout` are not an alternative: they also end a commit's wait for a standby, which makes a change
 * visible that a failover might lose.
 */
export async function enableConnectionChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ detectsClosedConnections: boolean }>(
    `SELECT ${DETECTS_CLOSED_CONNECTIONS_SQL} AS "detectsClosedConnections"`,
  );
  if (rows[0]!.detectsClosedConnections) return;
  // PostgreSQL on Windows cannot check and refuses the setting. If several processes set it at once, all but one may fail.
  await client
    .query(`ALTER ROLE CURRENT_USER SET client_connection_check_interval TO '2s'`)
    .catch(() => undefined);
}
