'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { OpenedDrawer } from '../../dialog/opened-drawer';
import type { ListUrl } from '../list-url';
import { SortChoice, type SortColumn } from '../table/list-sort';
import styles from './filter-bar.module.css';

/** The filters and the sort order of a list on phones. The list behind it follows every choice. */
export function FilterSheet({
  opened,
  onClose,
  url,
  sortableColumns,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  url: ListUrl;
  /** The columns by which the list can be sorted. */
  sortableColumns: readonly SortColumn[];
  children: ReactNode;
}) {
  const t = useTranslations('common');
  return (
    <OpenedDrawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      // As high as its content, so that the list behind it stays in view. Mantine's drawers have only fixed sizes.
      styles={{ content: { height: 'auto' } }}
      // Escape first closes a filter's popover, which is outside the sheet, and only then the sheet.
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) onClose();
      }}
      title={t('list.filtersTitle')}
    >
      <div className={styles.sheet}>
        {children}
        {sortableColumns.length > 0 && <SortChoice columns={sortableColumns} url={url} />}
        <Group grow gap="sm">
          <Button
            variant="default"
            // Not disabled, which would take the focus out of the sheet.
            aria-disabled={!url.hasFilters}
            data-disabled={!url.hasFilters || undefined}
            onClick={url.hasFilters ? url.clearFilters : undefined}
          >
            {t('list.clearAll')}
          </Button>
          <Button onClick={onClose}>{t('list.filtersDone')}</Button>
        </Group>
      </div>
    </OpenedDrawer>
  );
}
