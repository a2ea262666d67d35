import { useFigureText } from '../ui/chart/figure-text';
import type { Column } from '../ui/list/list-table';
import { kindOf, type ListingField, type ShopField, useFieldName } from './fields';

/**
 * A column of figures for each field, which lists can be ordered by.
 *
 * @param hidden those that are shown only when they are chosen
 */
export function useFieldColumns<F extends ShopField | ListingField>(
  fields: readonly F[],
  hidden: readonly F[],
): Column<Record<F, number | null>>[] {
  const text = useFigureText();
  const nameOfField = useFieldName();
  return fields.map((field) => ({
    key: field,
    label: nameOfField(field),
    sort: field,
    figures: true,
    hidden: hidden.includes(field),
    render: (row) => text.of(kindOf(field), row[field]),
  }));
}
