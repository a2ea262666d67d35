import { tableQuery } from '../../core/lists/download-query';
import { listingDaysInput, shopDaysInput, topListingsInput } from '../day-schema';
import { LISTING_FIELDS, SHOP_FIELDS } from '../fields';

/** The queries for downloading the tables on the statistics pages, each with the columns that the table can show. */

const namesOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields & string)[];

export const shopDaysTableQuery = tableQuery(shopDaysInput, [
  'date',
  'shop',
  ...namesOf(SHOP_FIELDS),
  'updated',
]);

export const listingDaysTableQuery = tableQuery(listingDaysInput, [
  'date',
  'shop',
  ...namesOf(LISTING_FIELDS),
  'updated',
]);

export const listingsTableQuery = tableQuery(topListingsInput, [
  'title',
  'id',
  'shop',
  'profit',
  ...namesOf(LISTING_FIELDS),
]);
