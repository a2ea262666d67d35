'use client';

import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { onDemand } from '../../../api/on-demand';
import { useDialogEverOpened } from '../../floating/use-opened-after-mount';
import { countFilters, type ListUrl, sheetFilterNames } from '../list-url';
import type { SortColumn } from '../table/list-sort';
import styles from './filter-bar.module.css';

const FilterSheet = onDemand(() => import('./filter-sheet').then((module) => module.FilterSheet));

/**
 * The filters of a list. Phones show only the search, and a button that opens the other filters in a sheet. The style sheet decides
 * which filters are shown, so that the page does not change after it is rendered on the server.
 */
export function FilterBar({
  url,
  columns = [],
  filtersShownElsewhere,
  children,
}: {
  url: ListUrl;
  /** The columns of the list; the sheet offers to sort by those that are sortable. */
  columns?: readonly SortColumn[];
  /** The names of filters that are shown elsewhere on the page. */
  filtersShownElsewhere?: readonly string[] | undefined;
  children: ReactNode;
}) {
  const t = useTranslations('common');
  const [opened, setOpened] = useState(false);
  const wasEverOpened = useDialogEverOpened(opened);
  const names = children ? sheetFilterNames(url.filterNames, filtersShownElsewhere) : [];
  const sortableColumns = columns.filter(({ sort }) => sort !== undefined);
  return (
    <div className={styles.bar}>
      <div className={styles.filters}>{children}</div>
      {(names.length > 0 || sortableColumns.length > 0) && (
        <Button
          variant="default"
          className={styles.open}
          leftSection={<IconFilter size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {t('list.filters', { count: countFilters(url, names) })}
        </Button>
      )}
      {wasEverOpened && (
        <FilterSheet
          opened={opened}
          onClose={() => setOpened(false)}
          url={url}
          sortableColumns={sortableColumns}
        >
          {children}
        </FilterSheet>
      )}
    </div>
  );
}
