import { useTranslations } from 'next-intl';
import { useFigureText } from '../shared/figure-text';
import type { Column } from '../shared/list-table';
import { FIELD_NAMES, kindOf, type ListingField, type ShopField } from './field-names';

/**
 * A column of figures for each field, which lists can be ordered by.
 *
 * @param hidden those that are shown only when they are chosen
 */
export function useFieldColumns<F extends ShopField | ListingField>(
  fields: readonly F[],
  hidden: readonly F[],
): Column<Record<F, number | null>>[] {
  const t = useTranslations('statistics');
  const text = useFigureText();
  return fields.map((field) => ({
    key: field,
    label: t(FIELD_NAMES[field]),
    sort: field,
    figures: true,
    hidden: hidden.includes(field),
    render: (row) => text.of(kindOf(field), row[field]),
  }));
}
