import { isIntegerIdText } from '../../server/core/id-text';
import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import type { RouterInputs } from '../api/router-types';
import { readUrl, type UrlState } from '../ui/list/list-url';

export const PRODUCT_FILTERS = ['search', 'category', 'archived'] as const;

type Url = UrlState<(typeof PRODUCT_FILTERS)[number]>;
export type ProductFilter = Exclude<RouterInputs['catalog']['products'], void>;

/** Reads the filter from the URL and drops invalid values. */
export const readProductFilter = ({ search, category, archived }: Url['filters']): ProductFilter => ({
  search,
  category_id: isIntegerIdText(category) ? Number(category) : undefined,
  archived: archived === 'yes' || archived === 'all' ? archived : 'no',
});

export const productListQuery = (trpc: Trpc, { filters, cursor, rowsPerPage }: Url) =>
  trpc.catalog.products.queryOptions(
    { ...readProductFilter(filters), cursor, limit: rowsPerPage },
    LIST_QUERY,
  );

export const catalogPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(productListQuery(trpc, readUrl(PRODUCT_FILTERS, search, rowsPerPage))),
    load(trpc.catalog.categories.queryOptions()),
  ]);
