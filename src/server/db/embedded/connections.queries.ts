// Written by `npm run sql` from connections.sql: change that file instead.
import { Statement } from '../statement';

export interface CountOthersParams {
  name: string;
}

export interface CountOthersRow {
  count: number;
}

export const countOthers = new Statement<CountOthersParams, CountOthersRow>('connections.countOthers', `
-- The connections of other processes: those with another name.
SELECT count(*)::int AS "count" FROM pg_stat_activity
 WHERE backend_type = 'client backend' AND application_name <> $1`, ["name"]);
