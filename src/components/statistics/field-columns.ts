import { useFigureFormatter } from '../ui/chart/figure-formatter';
import type { Column } from '../ui/list/table/list-table';
import { kindOf, type ListingField, type ShopField, useFieldName } from './fields';

/**
 * Returns a sortable column for each field.
 * @param hiddenFields the fields that are shown only when chosen
 * @param currencyOf returns the currency of a row's amounts; null if unknown
 */
export function useFieldColumns<F extends ShopField | ListingField, Row extends Record<F, number | null>>(
  fields: readonly F[],
  hiddenFields: readonly F[],
  currencyOf: (row: Row) => string | null,
): Column<Row>[] {
  const figureFormatter = useFigureFormatter();
  const fieldName = useFieldName();
  return fields.map(
    (field): Column<Row> => ({
      key: field,
      label: fieldName(field),
      sort: field,
      numeric: true,
      hidden: hiddenFields.includes(field),
      render: (row) =>
        kindOf(field) === 'amount'
          ? figureFormatter.money(row[field], currencyOf(row))
          : figureFormatter.figure(kindOf(field), row[field]),
    }),
  );
}
