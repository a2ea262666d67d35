'use client';

import { NativeSelect, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ListUrl } from '../list-url';
import { type Column, ROLE_PROPS } from './list-column';
import styles from './table.module.css';

/** The part of a column that SortChoice needs. */
export type SortColumn = Pick<Column<never>, 'sort' | 'label'>;

type SortState = Pick<ListUrl, 'sort' | 'sortBy' | 'setSort'>;

/** The header of a column; a button if the list can be sorted by it. */
export function ColumnHeader<Row>({ column, url }: { column: Column<Row>; url: SortState | undefined }) {
  const { label, sort, numeric, actions } = column;
  const alignmentClass = numeric ? styles.end : undefined;
  if (!sort || !url) {
    return (
      <th {...ROLE_PROPS.columnheader} className={alignmentClass}>
        {actions ? <span className="visually-hidden">{label}</span> : label}
      </th>
    );
  }
  const currentSort = url.sort?.by === sort ? url.sort : null;
  const SortIcon = currentSort ? (currentSort.descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <th
      {...ROLE_PROPS.columnheader}
      className={alignmentClass}
      aria-sort={currentSort ? (currentSort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton className={styles.sort} onClick={() => url.sortBy(sort)}>
        {label}
        <SortIcon size={14} aria-hidden opacity={currentSort ? 1 : 0.5} />
      </UnstyledButton>
    </th>
  );
}

/** A select for the sort order, for phones, where the headers are hidden. */
export function SortChoice({ columns, url }: { columns: readonly SortColumn[]; url: SortState }) {
  const t = useTranslations('common');
  const sortOptions = columns.flatMap(({ sort, label }) =>
    sort
      ? [
          { value: sort, label: `${label} ↑` },
          { value: `-${sort}`, label: `${label} ↓` },
        ]
      : [],
  );
  return (
    <NativeSelect
      aria-label={t('list.sort')}
      value={url.sort ? (url.sort.descending ? '-' : '') + url.sort.by : ''}
      data={[{ value: '', label: t('list.sort') }, ...sortOptions]}
      onChange={({ currentTarget: { value } }) => value && url.setSort(value)}
    />
  );
}
