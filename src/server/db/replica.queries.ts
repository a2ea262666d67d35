// Written by `npm run sql` from replica.sql: change that file instead.
import { Statement } from './statement';

export interface PrimaryPositionRow {
  database: string;
  position: string;
  server: string;
}

export const primaryPosition = new Statement<undefined, PrimaryPositionRow>('replica.primaryPosition', `
-- Everything that was committed before this call is in the log up to here: a commit is confirmed after its log has been flushed.
-- The two numbers identify the server and the database; a replica has the same ones.
SELECT
  pg_current_wal_flush_lsn()::text AS "position",
  (SELECT system_identifier::text FROM pg_control_system()) AS "server",
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS "database"`);

export interface ReplicaStateParams {
  database: string;
  position: unknown;
  server: string;
}

export interface ReplicaStateRow {
  hasReached: boolean;
  isReplica: boolean;
}

export const replicaState = new Statement<ReplicaStateParams, ReplicaStateRow>('replica.replicaState', `
SELECT
  pg_is_in_recovery()
    AND (SELECT system_identifier::text FROM pg_control_system()) = $1
    AND (SELECT oid::text FROM pg_database WHERE datname = current_database()) = $2
    AS "isReplica",
  COALESCE(pg_last_wal_replay_lsn() >= $3::pg_lsn, false) AS "hasReached"`, ["server","database","position"]);
