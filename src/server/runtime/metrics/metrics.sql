/* The amount of work waiting, by kind. Each count uses an index. */

/* @name readBacklog */
SELECT (SELECT count(*)::int FROM imports WHERE NOT searchable) AS "searchImports!",
       (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM imports WHERE NOT searchable) AS "searchSeconds!",
       (SELECT count(*)::int FROM notifications WHERE state IN ('waiting', 'sending')) AS "notifications!",
       (SELECT coalesce(greatest(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 FROM notifications
         WHERE state IN ('waiting', 'sending')) AS "notificationSeconds!";
