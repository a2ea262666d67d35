/* @name readSearchBacklog */
-- Counts the imports that are not searchable yet, and returns how many seconds the oldest of them has waited. Uses an index.
SELECT count(*)::int AS "waiting!", coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "seconds!"
  FROM imports WHERE NOT searchable;
