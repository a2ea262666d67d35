// The baseline for request rates: plain Node that runs the same prepared statements as the service for the key and the operation,
// on work and bulk pools of the same sizes, without checks, logs or error messages.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { takeShopLock } from '../../src/server/db/locks/advisory-locks';
import { findKey } from '../../src/server/identity/keys/keys.queries';
import { hashSecret } from '../../src/server/identity/secret-token';
import { beginImport, finishImport } from '../../src/server/orders/history/history.queries';
import { MAX_EXTRA_BYTES } from '../../src/server/orders/import/extra';
import * as sql from '../../src/server/orders/import/import.queries';
import { findShop } from '../../src/server/shops/shops.queries';
import { BARE_OPERATIONS, type BareOperation } from './bare-operations';

const connectionString = process.env.DATABASE_URL;
const workPool = new pg.Pool({ connectionString, max: 10 });
const bulkPool = new pg.Pool({ connectionString, max: 4 });

interface ImportBody {
  account_id: number;
  rows: Record<string, unknown>[];
}

const storeImport: BareOperation = async (_pool, keyId, _req, body) => {
  const { account_id: shopId, rows } = JSON.parse(body.toString()) as ImportBody;
  await findShop.runPrepared(workPool, { shopId });
  const ordersJson = JSON.stringify(
    rows.map((row) => ({
      ...row,
      row: 0,
      status: 'paid',
      country_key: String(row.country_name).toLowerCase(),
    })),
  );
  const itemsJson = JSON.stringify(rows.map((row, ord) => ({ ...row, ord })));
  const client = await bulkPool.connect();
  try {
    await client.query('BEGIN');
    await takeShopLock(client, 'shopImports', shopId);
    const [startedImport] = await beginImport.runPrepared(client, {
      shopId,
      source: 'api',
      outcome: 'running',
      actor: 'bench',
      apiKeyId: keyId,
      userId: null,
      requestId: null,
      fileName: null,
      contentHash: '0'.repeat(64),
      rows: rows.length,
      errors: 0,
      failure: null,
      durationMs: 0,
    });
    const importId = startedImport!.id;
    const receiptIds = rows.map((row) => String(row.receipt_id));
    const [lock] = await sql.lockOrdersByReceiptId.runPrepared(client, { shopId, receiptIds });
    const target = { shopId, importId, at: lock!.locked_at };
    const [orderCounts] = await sql.storeOrders.runPrepared(client, { ...target, orders: ordersJson });
    const [itemCounts] = await sql.storeItems.runPrepared(client, {
      ...target,
      items: itemsJson,
      maxExtraBytes: MAX_EXTRA_BYTES,
    });
    const { new_orders, updated_orders } = orderCounts!;
    const [changes] =
      updated_orders > 0 ? await sql.countChangedOrders.runPrepared(client, { shopId, importId }) : [];
    const { inserted_items, changed_items } = itemCounts!;
    await finishImport.runPrepared(client, {
      ...target,
      newOrders: new_orders,
      updatedOrders: updated_orders,
      changedOrders: changes?.changed_orders ?? 0,
      itemsInserted: inserted_items,
      itemsChanged: changed_items,
      warnings: 0,
      durationMs: 0,
      heldRows: 0,
      errors: 0,
    });
    await client.query('COMMIT');
    const data = { new_orders, updated_orders, order_items_inserted: inserted_items };
    return { success: true, message: '导入完成', data };
  } finally {
    client.release();
  }
};

const EMPTY_BODY = Buffer.alloc(0);

function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', reject);
  });
}

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const key = req.headers['x-api-key'];
  if (typeof key !== 'string') {
    res.statusCode = 401;
    res.end('{"success":false}');
    return;
  }
  const [keyRow] = await findKey.runPrepared(workPool, { hash: hashSecret(key) });
  const body = req.method === 'POST' ? await readBody(req) : EMPTY_BODY;
  const operation = BARE_OPERATIONS.get(req.url!.split('?')[0]!) ?? storeImport;
  const result = await operation(workPool, keyRow!.id, req, body);
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(result));
}

const server = createServer((req, res) => {
  respond(req, res).catch((error: unknown) => {
    res.statusCode = 500;
    res.end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
// Exits with the bench, however the bench ends.
process.on('disconnect', () => process.exit(0));
