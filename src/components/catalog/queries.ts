import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import type { RouterInputs } from '../api/router-types';
import { type AddressState, readAddress } from '../ui/list/list-address';

export const PRODUCT_FILTERS = ['search', 'category', 'archived'] as const;

type Address = AddressState<(typeof PRODUCT_FILTERS)[number]>;
export type ProductFilter = Exclude<RouterInputs['catalog']['products'], void>;

/** Reads the filter from the address and drops invalid values. */
export const readProductFilter = ({ search, category, archived }: Address['filters']): ProductFilter => ({
  search,
  category_id: category && /^\d{1,9}$/.test(category) ? Number(category) : undefined,
  archived: archived === 'yes' || archived === 'all' ? archived : 'no',
});

export const productListQuery = (trpc: Trpc, { filters, cursor, rows }: Address) =>
  trpc.catalog.products.queryOptions({ ...readProductFilter(filters), cursor, limit: rows }, LIST_QUERY);

export const catalogPageQueries: PageQueries = ({ trpc, search, rows, load }) =>
  Promise.all([
    load(productListQuery(trpc, readAddress(PRODUCT_FILTERS, search, rows))),
    load(trpc.catalog.categories.queryOptions()),
  ]);
