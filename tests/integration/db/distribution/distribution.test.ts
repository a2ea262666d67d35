import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { beginSnapshot } from '../../../../src/server/backup/snapshot';
import { DistributionError, distribute } from '../../../../src/server/db/distribution/distribute';
import {
  CITUS_REFERENCE_TABLES,
  canKeepForeignKey,
  DISTRIBUTED_GROUPS,
  LOCAL_TABLES,
} from '../../../../src/server/db/distribution/tables';
import {
  countWaitingStatements,
  createTestDatabase,
  type TestDatabase,
} from '../../../support/database/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const GROUP_BY_TABLE = new Map(
  DISTRIBUTED_GROUPS.flatMap((group) => group.tables.map((table) => [table, group] as const)),
);

interface Key {
  on: string;
  to: string;
  name: string;
  kind: string;
  columns: string[];
  definition: string;
}

const byName = (a: Key, b: Key) => (a.name < b.name ? -1 : 1);

/** Returns the primary, unique and foreign keys of all tables. */
const readAllKeys = () =>
  database.query<Key>(`
    SELECT c.conrelid::regclass::text AS on, c.confrelid::regclass::text AS to, c.conname AS name, c.contype AS kind,
           ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)) AS columns,
           pg_get_constraintdef(c.oid) AS definition
      FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f')
    UNION ALL
    SELECT i.indrelid::regclass::text, '-', i.indexrelid::regclass::text, 'u',
           ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)), ''
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace`);

describe('the list of distributed tables', () => {
  it('contains every table exactly once, together with the lists of reference and local tables', async () => {
    const tables = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          AND relname <> '_prisma_migrations' ORDER BY 1`,
    );
    const listedTables = [...GROUP_BY_TABLE.keys(), ...CITUS_REFERENCE_TABLES, ...LOCAL_TABLES];
    expect(listedTables.sort(), 'Add each table to a list in src/server/db/distribution/tables.ts').toEqual(
      tables.map(({ name }) => name).sort(),
    );
  });

  it('names, for each group, a column that is part of every primary and unique key of its tables', async () => {
    const keys = (await readAllKeys()).filter(({ on, kind }) => GROUP_BY_TABLE.has(on) && kind !== 'f');
    expect(new Set(keys.filter(({ kind }) => kind === 'p').map(({ on }) => on))).toEqual(
      new Set(GROUP_BY_TABLE.keys()),
    );
    const keysWithoutColumn = keys.filter(
      ({ on, columns }) => !columns.includes(GROUP_BY_TABLE.get(on)!.column),
    );
    expect(keysWithoutColumn).toEqual([]);
  });

  it('keeps only foreign keys that a single server can check', async () => {
    // Only our own tables count: a cluster's coordinator also stores the shards of the reference tables.
    const listedTables = [...GROUP_BY_TABLE.keys(), ...CITUS_REFERENCE_TABLES, ...LOCAL_TABLES];
    const keptKeys = (await readAllKeys()).filter(
      (key) => key.kind === 'f' && listedTables.includes(key.on) && canKeepForeignKey(key),
    );
    const crossingKeys = keptKeys.filter(({ on, to, columns }) => {
      const group = GROUP_BY_TABLE.get(on);
      if (!group)
        return !(CITUS_REFERENCE_TABLES.includes(on) ? CITUS_REFERENCE_TABLES : LOCAL_TABLES).includes(to);
      return (
        !CITUS_REFERENCE_TABLES.includes(to) && !(group.tables.includes(to) && columns.includes(group.column))
      );
    });
    expect(crossingKeys).toEqual([]);
  });

  it('contains no table with a trigger, and neither does the list of reference tables', async () => {
    const triggers = await database.query(
      'SELECT tgname FROM pg_trigger WHERE tgrelid = ANY($1::text[]::regclass[]) AND NOT tgisinternal',
      [[...GROUP_BY_TABLE.keys(), ...CITUS_REFERENCE_TABLES]],
    );
    expect(triggers).toEqual([]);
  });

  it('names, for each group, a column of one type in all its tables, so that equal values are on the same server', async () => {
    for (const { column, tables } of DISTRIBUTED_GROUPS) {
      const types = await database.query<{ data_type: string }>(
        `SELECT DISTINCT data_type FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name = $1 AND table_name = ANY($2)`,
        [column, tables],
      );
      expect(types).toHaveLength(1);
    }
  });
});

describe('db distribute', () => {
  const onCluster = inject('workers').length > 0;

  it('waits for a running backup before it locks any table, and says so', async () => {
    const backupClient = new pg.Client({ connectionString: database.url });
    await backupClient.connect();
    await beginSnapshot(backupClient, {});
    const lines: string[] = [];
    const distributionPromise = distribute(database.url, {}, (line) => lines.push(line)).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => countWaitingStatements(database)).toBe(1);
    expect(lines).toEqual(['Waiting for a backup to finish before the tables are distributed.']);
    const tableLocks = await database.query(
      `SELECT FROM pg_locks l JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'brickdesk-distribute' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.relation = 'orders'::regclass`,
    );
    expect(tableLocks).toEqual([]);
    await backupClient.query('COMMIT');
    // Without a cluster there is nothing to distribute.
    const result = await distributionPromise;
    if (onCluster) expect(result).toMatchObject({ resharded: [] });
    else expect(result).toBeInstanceOf(DistributionError);
    await backupClient.end();
  });

  it.skipIf(onCluster)(
    'refuses a database without Citus, says that a single PostgreSQL needs no distribution, and changes no keys',
    async () => {
      const keysBefore = await readAllKeys();
      await expect(distribute(database.url)).rejects.toThrow(
        /does not have the extension "citus".*a single PostgreSQL needs no distribution/,
      );
      expect(await readAllKeys()).toEqual(keysBefore);
    },
  );

  // Each test file's database is distributed when it is created (tests/support/database/test-database.ts).
  it.runIf(onCluster)('finds nothing to do the second time', async () => {
    const workers = inject('workers').length;
    expect(await distribute(database.url)).toEqual({
      workers,
      shards: workers,
      reference: [],
      distributed: [],
      resharded: [],
      droppedForeignKeys: [],
    });
  });

  it.runIf(onCluster)(
    'reshards every group of tables if asked for more shards, and loses neither keys nor orders',
    async () => {
      const workers = inject('workers').length;
      await database.query(
        "INSERT INTO shops (name, shop_id) SELECT 'Shop ' || n, 'm' || n FROM generate_series(1, 20) n",
      );
      await database.query("INSERT INTO orders (shop_id, receipt_id) SELECT id, 'R' || id FROM shops");
      const readOrders = () =>
        database.query<{ receipt_id: string }>('SELECT shop_id, id, receipt_id FROM orders ORDER BY 1, 2');
      const contentsBefore = { keys: (await readAllKeys()).sort(byName), orders: await readOrders() };
      const result = await distribute(database.url, { shards: 2 * workers });
      expect(result).toMatchObject({
        shards: 2 * workers,
        distributed: [],
        resharded: DISTRIBUTED_GROUPS.map(({ by }) => by),
      });
      expect({ keys: (await readAllKeys()).sort(byName), orders: await readOrders() }).toEqual(
        contentsBefore,
      );
      expect(contentsBefore.orders).toHaveLength(20);
      const shardCounts = await database.query<{ shards: number }>(
        `SELECT count(*)::int AS shards FROM citus_shards WHERE table_name = 'orders'::regclass GROUP BY nodename, nodeport`,
      );
      expect(shardCounts).toEqual(Array.from({ length: workers }, () => ({ shards: 2 })));
      expect((await distribute(database.url, { shards: 2 * workers })).resharded).toEqual([]);
    },
  );
});
