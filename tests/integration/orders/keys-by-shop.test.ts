import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DISTRIBUTED_GROUPS } from '../../../src/server/db/distribution/tables';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

const tablesDistributedBy = (key: string) => DISTRIBUTED_GROUPS.find(({ by }) => by === key)!.tables;
/** The tables that a cluster distributes by shop, and those by tracking number, which shops may share. */
const SHOP_TABLES = tablesDistributedBy('shop');
const TRACKING_TABLES = tablesDistributedBy('tracking number');

/** Tables that all shops share; these may be referenced without a shop. */
const COMMON_TABLES = ['api_keys', 'countries', 'shops', 'users', 'tracking_numbers'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Key {
  table: string;
  name: string;
  kind: string;
  columns: string[];
  target: string;
}

/** Returns the primary, unique and foreign keys of the tables. */
const readKeys = (tables: readonly string[]) =>
  database.query<Key>(
    `
    SELECT c.conrelid::regclass::text AS "table", c.conname AS name, c.contype AS kind, c.confrelid::regclass::text AS target,
           ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)) AS columns
      FROM pg_constraint c
     WHERE c.conrelid = ANY($1::text[]::regclass[]) AND c.contype IN ('p', 'u', 'f')
    UNION ALL
    SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'u', '',
           ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey))
      FROM pg_index i WHERE i.indrelid = ANY($1::text[]::regclass[]) AND i.indisunique`,
    [tables],
  );

describe('in the schema', () => {
  it.each([
    ['a shop', 'shop_id', SHOP_TABLES, COMMON_TABLES],
    ['a tracking number', 'tracking_number', TRACKING_TABLES, ['inbound_records', 'shops', 'users']],
  ])(
    'keys of tables that belong to %s contain %s, except references to common tables',
    async (_, column, tables, commonTables) => {
      const keys = await readKeys(tables);
      const keysWithoutColumn = keys.filter(
        ({ kind, columns, target }) =>
          !columns.includes(column) && !(kind === 'f' && commonTables.includes(target)),
      );
      expect(keysWithoutColumn).toEqual([]);
      expect(new Set(keys.filter(({ kind }) => kind === 'p').map(({ table }) => table))).toEqual(
        new Set(tables),
      );
    },
  );

  it('every table with an integer shop_id belongs to a shop or is a known exception', async () => {
    const tables = await database.query<{ name: string }>(`
      SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'shop_id' AND data_type = 'integer'
       ORDER BY 1`);
    expect(
      tables.map(({ name }) => name),
      'Add the table to the group of shops in src/server/db/distribution/tables.ts, or to the exceptions here',
    ).toEqual([...SHOP_TABLES, 'prompts', 'replies', 'shop_former_names', 'tracking_number_shops'].sort());
  });

  it('tables that belong to a shop have no triggers', async () => {
    const triggers = await database.query(
      'SELECT tgname FROM pg_trigger WHERE tgrelid = ANY($1::text[]::regclass[]) AND NOT tgisinternal',
      [SHOP_TABLES],
    );
    expect(triggers).toEqual([]);
  });
});

describe('the constraints', () => {
  const HASH = 'a'.repeat(64);

  beforeAll(async () => {
    await database.query(`INSERT INTO shops (name) VALUES ('First'), ('Second')`);
    await database.query(`INSERT INTO users (email, name, role) VALUES ('o@example.com', 'O', 'owner')`);
    await database.query(`INSERT INTO orders (shop_id, receipt_id) VALUES (1, '1'), (2, '2')`);
    await database.query(`INSERT INTO tracking_numbers (tracking_number) VALUES ('LX1')`);
    await database.query(
      `INSERT INTO imports (shop_id, source, outcome, actor, content_hash) VALUES (1, 'api', 'succeeded', 'A', $1)`,
      [HASH],
    );
  });

  const insertRow = (table: string, values: Record<string, unknown>) => {
    const names = Object.keys(values);
    const placeholders = names.map((_, index) => `$${index + 1}`).join(', ');
    const sql = `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${placeholders})`;
    return database.query(sql, Object.values(values));
  };

  const orderKey = { shop_id: 1, order_id: 1 };
  const importRow = { shop_id: 1, source: 'api', outcome: 'succeeded', actor: 'A', content_hash: HASH };
  const issueRow = {
    shop_id: 1,
    import_id: 1,
    position: 0,
    severity: 'error',
    path: '',
    reason: 'text.empty',
    values: {},
  };
  const changeRow = { ...orderKey, import_id: 1, record: 'order', record_id: 1, before: {}, after: {} };
  const draftRow = {
    shop_id: 1,
    id: '00000000-0000-4000-8000-000000000001',
    user_id: 1,
    file_name: 'a.csv',
    content_hash: HASH,
    sheet: Buffer.from('x'),
    total: 3,
  };
  const dayRow = {
    shop_id: 1,
    day: '2026-08-22',
    currency: 'USD',
    orders: 1,
    items: 1,
    quantity: 1,
    revenue: 1,
  };

  it.each<[constraint: string, table: string, values: Record<string, unknown>]>([
    ['order_items_shop_id_order_id_fkey', 'order_items', { shop_id: 1, order_id: 2 }],
    ['shipments_shop_id_order_id_fkey', 'shipments', { shop_id: 1, order_id: 2, tracking_number: 'LX1' }],
    ['order_notes_shop_id_order_id_fkey', 'order_notes', { shop_id: 2, order_id: 1, author: 'A', text: 'T' }],
    ['import_issues_shop_id_import_id_fkey', 'import_issues', { ...issueRow, shop_id: 2 }],
    ['import_changes_shop_id_import_id_fkey', 'import_changes', { ...changeRow, shop_id: 2 }],
    [
      'import_drafts_shop_id_import_id_fkey',
      'import_drafts',
      { ...draftRow, shop_id: 2, state: 'done', import_id: 1 },
    ],
    ['orders_shop_id_fkey', 'orders', { shop_id: 3, receipt_id: '3' }],
    ['imports_known_shop_id_fkey', 'imports', { ...importRow, shop_id: 3 }],
    ['imports_shop', 'imports', { ...importRow, shop_id: 0 }],
    ['imports_counts', 'imports', { ...importRow, new_orders: -1 }],
    ['imports_counts', 'imports', { ...importRow, changed_orders: 1 }],
    ['imports_content_hash', 'imports', { ...importRow, content_hash: 'x' }],
    ['imports_undone', 'imports', { ...importRow, outcome: 'undone' }],
    ['import_issues_position', 'import_issues', { ...issueRow, position: -1 }],
    ['import_changes_objects', 'import_changes', { ...changeRow, after: '[]' }],
    ['import_drafts_state', 'import_drafts', { ...draftRow, state: 'lost' }],
    ['import_drafts_progress', 'import_drafts', { ...draftRow, done: 4 }],
    ['import_drafts_import', 'import_drafts', { ...draftRow, state: 'done' }],
    ['import_drafts_hashes', 'import_drafts', { ...draftRow, fingerprint: 'x' }],
    ['orders_receipt_id', 'orders', { shop_id: 1, receipt_id: '' }],
    ['order_items_extra', 'order_items', { ...orderKey, extra: '[]' }],
    ['order_items_quantity', 'order_items', { ...orderKey, quantity: -1 }],
    ['order_notes_text', 'order_notes', { ...orderKey, author: 'A', text: '' }],
    ['shipments_tracking_number', 'shipments', { ...orderKey, tracking_number: 'lx1' }],
    ['shipments_tracking_number', 'shipments', { ...orderKey, tracking_number: 'LX 1' }],
    ['order_days_currency', 'order_days', { ...dayRow, currency: 'US' }],
    ['order_days_counts', 'order_days', { ...dayRow, orders: -1 }],
    ['order_days_counts', 'order_days', { ...dayRow, currency: '', revenue: 1 }],
    ['shops_name', 'shops', { name: ' spaced ' }],
    ['shops_currency_shape', 'shops', { name: 'Third', currency: 'usd' }],
    ['countries_code', 'countries', { code: 'x1', name: 'X', folded_name: 'x' }],
    ['country_aliases_folded', 'country_aliases', { folded_alias: '', alias: '-', country_code: 'US' }],
  ])('%s refuses a bad row of %s', async (constraint, table, values) => {
    // A cluster names the constraint only in the message, followed by the shard's number for a foreign key.
    const messagePattern = new RegExp(`constraint "${constraint}(_\\d+)?"`);
    await expect(insertRow(table, values)).rejects.toThrow(messagePattern);
  });

  it('accept valid rows', async () => {
    await insertRow('order_items', { ...orderKey, extra: '{}', quantity: 0 });
    await insertRow('shipments', { ...orderKey, tracking_number: 'LX1' });
    await insertRow('order_notes', { ...orderKey, author: 'A', text: 'T' });
    await insertRow('imports', importRow);
    await insertRow('imports', { ...importRow, shop_id: 0, outcome: 'rejected' });
    await insertRow('import_issues', issueRow);
    await insertRow('import_changes', changeRow);
    await insertRow('import_drafts', draftRow);
    await insertRow('order_days', dayRow);
  });
});
