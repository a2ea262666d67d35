'use client';

import { NativeSelect, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ListAddress } from '../list-address';
import { type Column, ROLES } from './list-column';
import styles from './table.module.css';

/** What the choice needs of a column. */
export type SortColumn = Pick<Column<never>, 'sort' | 'label'>;

type Sorted = Pick<ListAddress, 'sort' | 'sortBy' | 'setSort'>;

/** The header of a column; a button if the list can be sorted by it. */
export function ColumnHead<Row>({ column, address }: { column: Column<Row>; address: Sorted | undefined }) {
  const { label, sort, figures, actions } = column;
  const end = figures ? styles.end : undefined;
  if (!sort || !address) {
    return (
      <th {...ROLES.columnheader} className={end}>
        {actions ? <span className="heard">{label}</span> : label}
      </th>
    );
  }
  const current = address.sort?.by === sort ? address.sort : null;
  const SortIcon = current ? (current.descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <th
      {...ROLES.columnheader}
      className={end}
      aria-sort={current ? (current.descending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton className={styles.sort} onClick={() => address.sortBy(sort)}>
        {label}
        <SortIcon size={14} aria-hidden opacity={current ? 1 : 0.5} />
      </UnstyledButton>
    </th>
  );
}

/** The same choice as a select, for phones, where the headers are hidden. */
export function SortChoice({ columns, address }: { columns: readonly SortColumn[]; address: Sorted }) {
  const t = useTranslations('common');
  const sortable = columns.flatMap(({ sort, label }) =>
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
      value={address.sort ? (address.sort.descending ? '-' : '') + address.sort.by : ''}
      data={[{ value: '', label: t('list.sort') }, ...sortable]}
      onChange={({ currentTarget: { value } }) => value && address.setSort(value)}
    />
  );
}
