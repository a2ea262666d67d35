// Written by `npm run sql` from time-zones.sql: change that file instead.
import { Statement } from './statement';

export interface IsTimeZoneParams {
  timeZone: string;
}

export interface IsTimeZoneRow {
  known: boolean;
}

export const isTimeZone = new Statement<IsTimeZoneParams, IsTimeZoneRow>('time-zones.isTimeZone', `
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower($1)) AS "known"`, ["timeZone"]);
