'use client';

import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';

interface Props {
  kind: 'shop' | 'listing';
  shops: readonly string[];
  listing?: number;
  from: string;
  to: string;
}

/** Downloads the shown days as a CSV file, which can be imported again. */
export function DownloadLink({ kind, shops, listing, from, to }: Props) {
  const t = useTranslations('statistics');
  const query = new URLSearchParams([
    ['kind', kind],
    ...shops.map((shop) => ['shop_id', shop]),
    ...(listing === undefined ? [] : [['listing_id', String(listing)]]),
    ['from', from],
    ['to', to],
  ]);
  return (
    <Button
      component="a"
      href={`/api/downloads/statistics?${query}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
    >
      {t('download')}
    </Button>
  );
}
