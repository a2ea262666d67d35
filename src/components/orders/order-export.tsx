'use client';

import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { OrderFilter } from '../../server/orders/list/schema';

/** Downloads exactly the filtered orders, however many there are. */
export function OrderExport({ filter }: { filter: OrderFilter }) {
  const t = useTranslations('orders');
  const address = (format: 'csv' | 'xlsx') =>
    `/api/downloads/orders?${new URLSearchParams({ format, filter: JSON.stringify(filter) })}`;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={address('csv')} download>
          {t('exportCsv')}
        </Menu.Item>
        <Menu.Item component="a" href={address('xlsx')} download>
          {t('exportXlsx')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
