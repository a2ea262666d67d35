import type pg from 'pg';
import type { z } from 'zod';
import { CURRENCIES } from '../../core/money/iso-currencies';
import { joinLists } from '../../core/text/json-list';
import type { PreparedImport } from '../import/prepare';
import type { previewOutput } from './schema';
import * as sql from './shop-mismatch.queries';

/** A sign that a file belongs to another shop. */
export type ShopMismatch = z.output<typeof previewOutput>['mismatches'][number];

/**
 * Returns signs that a file does not belong to the shop it is imported for: up to five of each kind, the most common first. They
 * do not prevent the import: a shop may well sell in several currencies.
 */
export async function findMismatches(
  client: pg.PoolClient,
  shopId: number,
  preparedImport: PreparedImport,
): Promise<ShopMismatch[]> {
  const { receiptIds } = preparedImport;
  const [ordersJson, itemsJson] = [joinLists(preparedImport.orders), joinLists(preparedImport.items)];
  const currencyCounts = await sql.countOtherCurrencies.run(client, {
    shopId,
    orders: ordersJson,
    currencies: CURRENCIES,
  });
  const receiptCounts = await sql.countOrdersOfOtherShops.run(client, { shopId, receiptIds });
  const unknownListings = await sql.findUnknownListings.run(client, { shopId, items: itemsJson });
  const listingIds = unknownListings.map((row) => row.listing_id);
  const listingCounts =
    listingIds.length > 0 ? await sql.countListingsOfOtherShops.run(client, { shopId, listingIds }) : [];
  return [
    ...currencyCounts.map(
      ({ currency, count }): ShopMismatch => ({ kind: 'currency', value: currency, count }),
    ),
    ...receiptCounts.map(({ shop, count }): ShopMismatch => ({ kind: 'receipts', value: shop, count })),
    ...listingCounts.map(({ shop, count }): ShopMismatch => ({ kind: 'listings', value: shop, count })),
  ];
}
