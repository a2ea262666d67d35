import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { listShippedMigrations } from '../db/migration/migrate';
import type { ReadinessCheck } from '../http/health';
import { readState } from './readiness.queries';

/** How long a readiness check waits for the database: probes give up after a few seconds and would not learn the reason. */
const READINESS_TIMEOUT_MS = 2_000;

/** PostgreSQL's code for a missing table. Means that the database has never been migrated. */
const UNDEFINED_TABLE_CODE = '42P01';

/**
 * Returns the check behind /readyz. It runs a single prepared statement: while an import keeps the machine busy, each further
 * statement would wait for a processor again. It is a lookup, because slow pages that take all other connections do not make the
 * database unreachable.
 */
export function createReadinessCheck(
  { lookups }: Pick<Database, 'lookups'>,
  prismaDir: string,
): ReadinessCheck {
  const unreachableState = { ready: false, database: 'unreachable', migrations: 'unknown' } as const;
  // The shipped migrations do not change while the service runs.
  let includedNames: string[] | undefined;
  const readCurrentState = async () => {
    includedNames ??= await listShippedMigrations(prismaDir);
    const [state] = await readState.runPrepared(lookups, { includedNames });
    return state!;
  };
  return async () => {
    try {
      const state = await Promise.race([
        readCurrentState(),
        sleep(READINESS_TIMEOUT_MS, null, { ref: false }),
      ]);
      if (!state) return unreachableState;
      return {
        ready: state.migrated && !state.read_only,
        database: state.read_only ? 'read-only' : 'reachable',
        migrations: state.migrated ? 'applied' : 'pending',
      };
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE_CODE) return unreachableState;
      return { ready: false, database: 'reachable', migrations: 'pending' };
    }
  };
}
