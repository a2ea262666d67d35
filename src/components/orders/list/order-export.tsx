'use client';

import { Button } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { onDemand } from '../../api/on-demand';
import { MenuButton } from '../../ui/floating/menu-button';

const ExportChoices = onDemand(() => import('./export-choices').then((module) => module.ExportChoices));

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
