import type pg from 'pg';
import { writeAudits } from '../../audit/audit';
import { CURRENCIES } from '../../core/iso-currencies';
import { takeShopLock } from '../../db/advisory-locks';
import type { ShopOrders } from '../detail/tracking-status-service';
import * as sql from './order-days.queries';

/** The days in New York, as YYYY-MM-DD, on which orders were sold; asked before they are changed or removed. */
export async function daysOfOrders(client: pg.PoolClient, orders: ShopOrders): Promise<string[]> {
  return (await sql.findDaysOfOrders.run(client, orders)).map(({ day }) => day);
}

/** The days that imports have changed. */
export async function daysOfImports(
  client: pg.PoolClient,
  orders: ShopOrders,
  importIds: readonly string[],
): Promise<string[]> {
  return (await sql.findDaysOfImports.run(client, { ...orders, importIds })).map(({ day }) => day);
}

async function takeCurrency(client: pg.PoolClient, shopId: number): Promise<void> {
  const taken = await sql.setCurrencyOfOrders.run(client, { shopId });
  const entries = taken.map(({ currency }) => ({
    action: 'account.update',
    recordType: 'account',
    recordId: shopId,
    before: { currency: null },
    after: { currency },
  }));
  await writeAudits(client, { kind: 'system', name: 'currency of its orders' }, entries);
}

/**
 * Sums a shop's days up again from its orders, inside the caller's transaction. One transaction at a time does so for a shop,
 * each seeing what was committed before, so that the last to write is never behind.
 */
export async function sumUpDays(
  client: pg.PoolClient,
  shopId: number,
  days: readonly string[],
): Promise<void> {
  if (days.length === 0) return;
  await takeShopLock(client, 'shopDays', shopId);
  await sql.deleteDays.run(client, { shopId, days });
  await sql.sumUpDays.run(client, { shopId, days, currencies: CURRENCIES });
  await takeCurrency(client, shopId);
}
