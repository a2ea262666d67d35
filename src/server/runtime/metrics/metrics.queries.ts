// Written by `npm run sql` from metrics.sql: change that file instead.
import { Statement } from '../../db/statement';

export interface ReadBacklogRow {
  notifications: number;
  notificationSeconds: number;
  searchImports: number;
  searchSeconds: number;
}

export const readBacklog = new Statement<undefined, ReadBacklogRow>('metrics.readBacklog', `
SELECT (SELECT count(*)::int FROM imports WHERE NOT searchable) AS "searchImports",
       (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM imports WHERE NOT searchable) AS "searchSeconds",
       (SELECT count(*)::int FROM notifications WHERE state IN ('waiting', 'sending')) AS "notifications",
       (SELECT coalesce(greatest(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 FROM notifications
         WHERE state IN ('waiting', 'sending')) AS "notificationSeconds"`);
