import { tableQuery } from '../../core/lists/download-query';
import { listingDaysInput, shopDaysInput, topListingsInput } from '../day-schema';
import { LISTING_FIELDS, SHOP_FIELDS } from '../fields';

const keysOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields & string)[];

/** The query for downloading the daily statistics of shops, with the columns that their table can show. */
export const shopDaysTableQuery = tableQuery(shopDaysInput, [
  'date',
  'shop',
  ...keysOf(SHOP_FIELDS),
  'updated',
]);

/** The query for downloading the daily statistics of listings, with the columns that their table can show. */
export const listingDaysTableQuery = tableQuery(listingDaysInput, [
  'date',
  'shop',
  ...keysOf(LISTING_FIELDS),
  'updated',
]);

/** The query for downloading the table of listings with their sums, with the columns that the table can show. */
export const listingsTableQuery = tableQuery(topListingsInput, [
  'title',
  'id',
  'shop',
  'profit',
  ...keysOf(LISTING_FIELDS),
]);
