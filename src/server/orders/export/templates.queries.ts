// Written by `npm run sql` from templates.sql: change that file instead.
import { Statement } from '../../db/statement';

export const lockTemplates = new Statement<undefined, never>('templates.lockTemplates', `
-- Serializes changes, so that the number of templates stays bounded. Reads are not blocked.
LOCK TABLE export_templates IN SHARE ROW EXCLUSIVE MODE`);
