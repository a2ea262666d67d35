'use client';

import { Checkbox, Skeleton } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import styles from './list.module.css';
import type { ListAddress } from './list-address';
import { type Column, ROLES } from './list-column';
import { ColumnHead, SortChoice } from './list-sort';

export type { Column };

/** The keys of the selected rows. */
export interface Selection {
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until loaded: placeholders keep their space. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowName?: (row: Row) => string;
  address?: Pick<ListAddress, 'sort' | 'sortBy' | 'setSort'>;
  selection?: Selection;
}

const HELD_ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** Returns whether a table is wider than its container; the table then scrolls instead of the page. */
function useOverflow() {
  const place = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const frame = place.current!;
    const table = frame.querySelector('table')!;
    const observer = new ResizeObserver(() => setOverflows(table.offsetWidth > frame.clientWidth));
    observer.observe(frame);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { place, overflows };
}

/** A table that stays a table to screen readers when phones show its rows as cards. */
export function ListTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, address, selection } = props;
  const t = useTranslations('common');
  const { place, overflows } = useOverflow();
  const keys = rows?.map(rowKey) ?? [];
  const selected = new Set(selection?.selected);
  const all = keys.length > 0 && keys.every((key) => selected.has(key));
  const some = keys.some((key) => selected.has(key));
  const choose = (key: string) =>
    selection?.onChange(
      selected.has(key) ? selection.selected.filter((other) => other !== key) : [...selection.selected, key],
    );
  return (
    // A region that scrolls sideways must be reachable by keyboard.
    <div ref={place} className={overflows ? styles.wide : undefined} tabIndex={overflows ? 0 : undefined}>
      {address && <SortChoice columns={columns} address={address} />}
      <table {...ROLES.table} aria-label={label} className={styles.table}>
        <thead {...ROLES.rowgroup}>
          <tr {...ROLES.row}>
            {selection && (
              <th {...ROLES.columnheader} className={styles.choose}>
                <Checkbox
                  size="xs"
                  aria-label={t('list.selectAll')}
                  checked={all}
                  indeterminate={some && !all}
                  onChange={() => selection.onChange(all ? [] : keys)}
                />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} address={address} />
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rowgroup}>
          {rows?.map((row) => {
            const key = rowKey(row);
            return (
              <tr key={key} {...ROLES.row} data-selected={selected.has(key) || undefined}>
                {selection && (
                  <td {...ROLES.cell} data-choose>
                    <Checkbox
                      size="xs"
                      aria-label={t('list.select', { name: rowName(row) })}
                      checked={selected.has(key)}
                      onChange={() => choose(key)}
                    />
                  </td>
                )}
                {columns.map(({ key: name, label: head, render, figures, heading, grow, actions }) => (
                  <td
                    key={name}
                    {...ROLES.cell}
                    data-label={actions ? undefined : head}
                    data-heading={heading || undefined}
                    data-grow={grow || undefined}
                    className={figures ? `figures ${styles.end}` : actions ? styles.end : undefined}
                  >
                    {render(row)}
                  </td>
                ))}
              </tr>
            );
          }) ??
            HELD_ROWS.map((held) => (
              <tr key={held} {...ROLES.row}>
                {selection && <td {...ROLES.cell} data-choose />}
                {columns.map(({ key, label: head, heading }) => (
                  <td key={key} {...ROLES.cell} data-label={head} data-heading={heading || undefined}>
                    <Skeleton height={24} radius="sm" />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
