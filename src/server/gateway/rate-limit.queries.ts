// Written by `npm run sql` from rate-limit.sql: change that file instead.
import { Statement } from '../db/statement';

export const deleteExpiredCounts = new Statement<undefined, never>('rate-limit.deleteExpiredCounts', `
DELETE FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000`);
