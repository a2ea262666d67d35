'use client';

import { useTranslations } from 'next-intl';
import { TableDownload } from '../../ui/list/table-download';

interface Props {
  kind: 'shop' | 'listing';
  /** The path of the table's own download. */
  path: string;
  /** The input of that download. */
  input: object;
  /** The columns of that download. */
  columns: readonly string[];
  shopIds: readonly string[];
  listingId?: number;
  from: string;
  to: string;
}

/** Downloads the table as shown, or the stored days as a CSV file that can be imported again. */
export function DaysDownload({ kind, path, input, columns, shopIds, listingId, from, to }: Props) {
  const t = useTranslations('statistics');
  const query = new URLSearchParams([
    ['kind', kind],
    ...shopIds.map((shopId) => ['shop_id', shopId]),
    ...(listingId === undefined ? [] : [['listing_id', String(listingId)]]),
    ['from', from],
    ['to', to],
  ]);
  return (
    <TableDownload
      path={path}
      input={input}
      columns={columns}
      otherDownloads={[
        'line',
        { heading: t('download.days') },
        { label: t('download.toImport'), fileUrl: `/api/downloads/statistics?${query}` },
      ]}
    />
  );
}
