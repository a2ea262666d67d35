import type pg from 'pg';
import { writeAuditEntries } from '../../audit/service';
import { CURRENCIES } from '../../core/money/iso-currencies';
import { takeShopLock } from '../../db/locks/advisory-locks';
import type { ShopOrders } from '../shop-orders-service';
import * as sql from './order-days.queries';

/** Returns the New York days (YYYY-MM-DD) on which the orders were sold, according to their current sale dates. */
export async function findSaleDays(client: pg.PoolClient, orders: ShopOrders): Promise<string[]> {
  return (await sql.findSaleDays.run(client, orders)).map(({ day }) => day);
}

/** Like {@link findSaleDays}, but includes the days of the sale dates that the imports replaced. */
export async function findCurrentAndFormerSaleDays(
  client: pg.PoolClient,
  orders: ShopOrders,
  importIds: readonly string[],
): Promise<string[]> {
  return (await sql.findCurrentAndFormerSaleDays.run(client, { ...orders, importIds })).map(({ day }) => day);
}

/** Sets the currency of a shop that has none, if its daily sums have exactly one known currency. */
async function adoptCurrency(client: pg.PoolClient, shopId: number): Promise<void> {
  const [currencyRow] = await sql.findCurrencyOfOrders.run(client, { shopId });
  const changedShops = currencyRow
    ? await sql.setCurrency.run(client, { shopId, currency: currencyRow.currency })
    : [];
  await writeAuditEntries(
    client,
    { kind: 'system', name: 'currency of its orders' },
    changedShops.map(({ currency }) => ({
      action: 'account.update',
      recordType: 'account',
      recordId: shopId,
      before: { currency: null },
      after: { currency },
    })),
  );
}

/**
 * Recalculates a shop's sums of the given days from its orders, inside the caller's transaction, and sets the currency of a shop
 * that has none if its sums have exactly one known currency. Only one transaction at a time does so for a shop, and each sees all
 * earlier commits, so the sums that are written last are never out of date.
 */
export async function recomputeDaySums(
  client: pg.PoolClient,
  shopId: number,
  days: readonly string[],
): Promise<void> {
  if (days.length === 0) return;
  await takeShopLock(client, 'shopDays', shopId);
  await sql.deleteDays.run(client, { shopId, days });
  await sql.sumUpDays.run(client, { shopId, days, currencies: CURRENCIES });
  await adoptCurrency(client, shopId);
}
