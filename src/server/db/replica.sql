/* @name readPrimaryPosition */
-- Everything that was committed before this call is in the log up to `position`: a commit is confirmed after its log has been
-- flushed. `server` and `database` identify the server and the database; a replica has the same values.
SELECT
  pg_current_wal_flush_lsn()::text AS "position!",
  (SELECT system_identifier::text FROM pg_control_system()) AS "server!",
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS "database!";

/* @name readReplicaState */
SELECT
  pg_is_in_recovery()
    AND (SELECT system_identifier::text FROM pg_control_system()) = :server!
    AND (SELECT oid::text FROM pg_database WHERE datname = current_database()) = :database!
    AS "isReplica!",
  COALESCE(pg_last_wal_replay_lsn() >= :position!::pg_lsn, false) AS "hasReached!";
