import type pg from 'pg';
import type { AuditAction } from '../audit/actions';
import { requireUnchanged } from '../audit/edit-conflict-service';
import { type Actor, writeAuditEntry } from '../audit/service';
import { notFound, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { MAX_INTEGER } from '../core/exact-integer';
import type { Database } from '../db/client';
import { requireTimeZone } from '../db/time-zones';
import { requireFreeNames } from './account-service';
import { lockShopForChange } from './lock-service';
import { adoptPrompt, saveFormerName } from './name-service';
import * as sql from './shops.queries';

/** A stored shop with its former names and counts of its data. */
export interface ShopView {
  id: number;
  name: string;
  /** Newest first. */
  former_names: string[];
  shop_id: string | null;
  currency: string | null;
  time_zone: string;
  created_at: Date;
  archived_at: Date | null;
  /** When it was marked for deletion with all its data. */
  deleting_at: Date | null;
  orders: number;
  last_import: { id: string; at: string; outcome: string; new_orders: number; rows: number } | null;
  /** Days of statistics under its shop_id. */
  statistic_days: number;
  has_prompt: boolean;
}

/** Returns whether there is a shop with this id that is not being deleted. Accepts any number. */
export async function shopExists(db: pg.Pool | pg.PoolClient, shopId: number): Promise<boolean> {
  if (!Number.isInteger(shopId) || shopId < 1 || shopId > MAX_INTEGER) return false;
  return (await sql.findShop.runPrepared(db, { shopId })).length === 1;
}

/** Reads all shops, or one, and then counts their data in separate statements, because a cluster stores it on other servers. */
async function readShops(db: Database, id: number | null): Promise<ShopView[]> {
  const shops = await sql.listShops.run(db.pool, { id });
  const shopIds = shops.map((shop) => shop.id);
  const marketplaceShopIds = shops.flatMap((shop) => shop.shop_id ?? []);
  const [orderCounts, lastImports, dayCounts] = await Promise.all([
    sql.countOrders.run(db.pool, { shopIds }),
    sql.listLastImports.run(db.pool, { shopIds }),
    sql.countStatisticDays.run(db.pool, { marketplaceShopIds }),
  ]);
  const orderCountByShop = new Map(orderCounts.map((row) => [row.shop_id, row.count]));
  const lastImportByShop = new Map(
    lastImports.map(({ shop_id, created_at, ...row }) => [shop_id, { ...row, at: created_at.toISOString() }]),
  );
  const dayCountByShop = new Map(dayCounts.map((row) => [row.shop_id, row.count]));
  return shops.map((shop) => ({
    ...shop,
    orders: orderCountByShop.get(shop.id) ?? 0,
    last_import: lastImportByShop.get(shop.id) ?? null,
    statistic_days: dayCountByShop.get(shop.shop_id ?? '') ?? 0,
  }));
}

/** Returns all shops by name, archived ones last, with the counts of their data. */
export function listShops(db: Database): Promise<ShopView[]> {
  return readShops(db, null);
}

/** Returns all shops by name, archived ones last, without reading their data. */
export function listShopNames(db: Database): Promise<sql.ListShopsRow[]> {
  return sql.listShops.run(db.pool, { id: null });
}

/**
 * Returns one shop.
 *
 * @throws ServiceError `not_found`
 */
export async function readShop(db: Database, id: number): Promise<ShopView> {
  const [shop] = await readShops(db, id);
  if (shop) return shop;
  throw notFound(createReason('answer.noShop', { id }));
}

interface ShopChange {
  id: number;
  name?: string | undefined;
  /** Null clears it. */
  shop_id?: string | null | undefined;
  currency?: string | null | undefined;
  time_zone?: string | undefined;
  archived?: boolean | undefined;
  /** The fields as a form showed them. */
  shown?: Partial<Pick<ShopView, 'name' | 'shop_id' | 'currency' | 'time_zone'>> | undefined;
}

/**
 * Changes the given fields. Writes an audit entry if any value differs.
 *
 * @throws ServiceError `not_found`, `conflict`, `validation_failed`, `service_unavailable`
 */
async function changeShop(
  db: Database,
  actor: Actor,
  action: AuditAction,
  input: ShopChange,
): Promise<ShopView> {
  await db.prisma.$transaction(async (tx) => {
    const timeZone = await requireTimeZone(tx, input.time_zone);
    await lockShopForChange(tx, input);
    const shop = await tx.shop.findUnique({ where: { id: input.id } });
    if (!shop) throw notFound(createReason('answer.noShop', { id: input.id }));
    if (shop.deletingAt)
      throw new ServiceError('conflict', createReason('shop.deleting', { name: shop.name }));
    const before = {
      name: shop.name,
      shop_id: shop.shopId,
      currency: shop.currency,
      time_zone: shop.timeZone,
      archived: shop.archivedAt !== null,
    };
    const after = {
      name: input.name ?? before.name,
      shop_id: input.shop_id === undefined ? before.shop_id : input.shop_id,
      currency: input.currency === undefined ? before.currency : input.currency,
      time_zone: timeZone ?? before.time_zone,
      archived: input.archived ?? before.archived,
    };
    const record = { recordType: 'account' as const, recordId: shop.id };
    await requireUnchanged(tx, actor, record, { shown: input.shown, stored: before, newValues: after });
    const newNames = {
      name: after.name === before.name ? undefined : after.name,
      shopId: after.shop_id === before.shop_id ? undefined : after.shop_id,
    };
    if (newNames.name !== undefined || newNames.shopId !== undefined)
      await requireFreeNames(tx, newNames, shop.id);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const archivedAt = after.archived ? (shop.archivedAt ?? new Date()) : null;
    await tx.shop.update({
      where: { id: shop.id },
      data: {
        name: after.name,
        shopId: after.shop_id,
        currency: after.currency,
        timeZone: after.time_zone,
        archivedAt,
      },
    });
    if (after.name !== before.name) {
      await saveFormerName(tx, shop.id, before.name, after.name);
      await adoptPrompt(tx, shop.id, after.name);
    }
    await writeAuditEntry(tx, actor, { action, ...record, before, after });
  });
  return readShop(db, input.id);
}

/**
 * Changes a shop's name, shop_id, currency or time zone. Requests that use a former name still reach the shop and its prompt.
 * Statistics that are stored under the old shop_id stay there.
 *
 * @throws ServiceError `not_found`; `conflict` if the shop no longer matches `shown` or is being deleted; `validation_failed` if
 * another shop has the name or the shop_id or once had the name, if a prompt is waiting under the name and the shop already has
 * one, or if the time zone is unknown; `service_unavailable` if an import of the shop keeps a change of its name or shop_id waiting
 * for too long
 */
export function updateShop(
  db: Database,
  actor: Actor,
  input: Omit<ShopChange, 'archived'>,
): Promise<ShopView> {
  return changeShop(db, actor, 'account.update', input);
}

/**
 * Hides a shop from the choices on pages, or shows it again. Its orders stay, and the API still accepts imports for it.
 *
 * @throws ServiceError `not_found`; `conflict` if the shop is being deleted
 */
export function setShopArchived(
  db: Database,
  actor: Actor,
  id: number,
  archived: boolean,
): Promise<ShopView> {
  return changeShop(db, actor, archived ? 'account.archive' : 'account.restore', { id, archived });
}
