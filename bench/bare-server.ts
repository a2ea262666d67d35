import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashSecret } from '../src/server/identity/secret-token';
import { COUNT_CHANGED_ORDERS, STORE_ITEMS, STORE_ORDERS } from '../src/server/orders/import/store-sql';
import { BARE_OPERATIONS, type BareOperation } from './bare-operations';

/**
 * What requests are measured against: plain Node, which runs the same prepared statements as the service does for a key and
 * an operation, on pools of the same sizes, and checks, logs and explains nothing.
 */

const connectionString = process.env.DATABASE_URL;
const short = new pg.Pool({ connectionString, max: 10 });
const bulk = new pg.Pool({ connectionString, max: 4 });

const FIND_KEY = 'SELECT id, name, expires_at, revoked_at FROM api_keys WHERE hash = $1';
const LOCK = `SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2, $3)`;
const BEGIN = `
INSERT INTO imports (account_id, source, outcome, actor, api_key_id, user_id, request_id, file_name, content_hash, rows,
                     errors, failure, duration_ms)
VALUES ($1, 'api', 'running', 'bench', $2, NULL, $3, NULL, $4, $5, 0, NULL, 0) RETURNING id`;
const FINISH = `
UPDATE imports SET outcome = 'succeeded', new_orders = $2, updated_orders = $3, changed_orders = $4, items_inserted = $5,
                   items_changed = $6, warnings = $7, duration_ms = $8
 WHERE id = $1`;

interface Sent {
  account_id: number;
  rows: Record<string, unknown>[];
}

const storeImport: BareOperation = async (_pool, keyId, _req, body) => {
  const { account_id: account, rows } = JSON.parse(body.toString()) as Sent;
  await short.query({ name: 'account', text: 'SELECT 1 FROM shops WHERE id = $1', values: [account] });
  const orders = JSON.stringify(
    rows.map((row) => ({
      ...row,
      row: 0,
      status: 'paid',
      country_key: String(row.country_name).toLowerCase(),
    })),
  );
  const items = JSON.stringify(rows.map((row, ord) => ({ ...row, ord })));
  const client = await bulk.connect();
  try {
    await client.query('BEGIN');
    await client.query({ name: 'import-lock', text: LOCK, values: ['120s', 20_261, account] });
    const begun = await client.query({
      name: 'import-begin',
      text: BEGIN,
      values: [account, keyId, null, '0'.repeat(64), rows.length],
    });
    const { id } = begun.rows[0];
    const stored = await client.query({
      name: 'import-orders',
      text: STORE_ORDERS,
      values: [account, orders, id],
    });
    const kept = await client.query({
      name: 'import-items',
      text: STORE_ITEMS,
      values: [account, items, id],
    });
    const { new_orders, updated_orders } = stored.rows[0];
    const counted =
      updated_orders > 0 &&
      (await client.query({ name: 'import-changed-orders', text: COUNT_CHANGED_ORDERS, values: [id] }));
    const changed_orders = counted ? counted.rows[0].changed_orders : 0;
    const { inserted, changed } = kept.rows[0];
    await client.query({
      name: 'import-finish',
      text: FINISH,
      values: [id, new_orders, updated_orders, changed_orders, inserted, changed, 0, 0],
    });
    await client.query('COMMIT');
    const data = { new_orders, updated_orders, order_items_inserted: inserted };
    return { success: true, message: '导入完成', data };
  } finally {
    client.release();
  }
};

const NOTHING = Buffer.alloc(0);

function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', reject);
  });
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const key = req.headers['x-api-key'];
  if (typeof key !== 'string') {
    res.statusCode = 401;
    res.end('{"success":false}');
    return;
  }
  const found = await short.query({ name: 'api-key', text: FIND_KEY, values: [hashSecret(key)] });
  const body = req.method === 'POST' ? await bodyOf(req) : NOTHING;
  const operation = BARE_OPERATIONS.get(req.url!.split('?')[0]!) ?? storeImport;
  const answered = await operation(short, found.rows[0].id, req, body);
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(answered));
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    res.statusCode = 500;
    res.end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
// Without the bench there is no use for it, however the bench ended.
process.on('disconnect', () => process.exit(0));
