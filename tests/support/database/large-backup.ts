import { expect } from 'vitest';
import type { TestDatabase } from './test-database';

/** Fills a table with so many rows that a backup takes seconds to read them. */
export async function fillAuditLog(database: TestDatabase): Promise<void> {
  await database.query(
    `INSERT INTO audit_log (actor_kind, actor, action, record_type, record_id)
     SELECT 'system', 'a', repeat(md5(n::text), 100), 'c', n FROM generate_series(1, 20000) AS n`,
  );
}

/** Waits until a backup is reading the rows of that table. */
export async function waitUntilAuditLogIsRead(database: TestDatabase): Promise<void> {
  await expect
    .poll(
      () =>
        database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY "audit_log"%'`,
        ),
      { interval: 5 },
    )
    .toHaveLength(1);
}
