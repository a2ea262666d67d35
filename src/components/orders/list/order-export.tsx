'use client';

import { Button } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { loadModuleWithRetry } from '../../api/load-module';
import { MenuButton } from '../../ui/floating/menu-button';

const ExportChoices = dynamic(
  () => loadModuleWithRetry(() => import('./export-choices')).then((module) => module.ExportChoices),
  {
    ssr: false,
  },
);

/** A menu that downloads the orders of a filter with a template. */
export function OrderExport({ filter }: { filter: OrderFilter }) {
  const t = useTranslations('export');
  return (
    <MenuButton
      button={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('menu')}
        </Button>
      }
      entries={[]}
      after={<ExportChoices filter={filter} />}
    />
  );
}
