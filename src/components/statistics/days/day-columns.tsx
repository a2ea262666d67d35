import { useTranslations } from 'next-intl';
import type { Column } from '../../ui/list/table/list-table';
import { Day } from '../../ui/value/time/day';
import { Instant } from '../../ui/value/time/instant';
import { useFieldColumns } from '../field-columns';
import type { ListingField, ShopField } from '../fields';
import { useKnownShops } from '../known-shops';

type DayRow<F extends string> = { date: string; shop_id: string; updated_at: string } & Record<
  F,
  number | null
>;

/**
 * Returns the columns for the stored days of shops or listings.
 * @param hiddenFields the fields that are shown only when chosen
 */
export function useDayColumns<F extends ShopField | ListingField>(
  fields: readonly F[],
  hiddenFields: readonly F[],
): Column<DayRow<F>>[] {
  const t = useTranslations('statistics');
  const { nameOf, currencyOf } = useKnownShops();
  const figureColumns = useFieldColumns<F, DayRow<F>>(fields, hiddenFields, (row) => currencyOf(row.shop_id));
  return [
    { key: 'date', label: t('day'), heading: true, sort: 'date', render: ({ date }) => <Day day={date} /> },
    { key: 'shop', label: t('shop'), sort: 'shop_id', render: ({ shop_id }) => nameOf(shop_id) },
    ...figureColumns,
    {
      key: 'updated',
      label: t('updated'),
      hidden: true,
      render: ({ updated_at: at }) => <Instant value={at} />,
    },
  ];
}
