'use client';

import { Checkbox, Skeleton } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ListUrl } from '../list-url';
import cards from './list-cards.module.css';
import { type Column, cardSlots, ROLE_PROPS } from './list-column';
import { ListRow } from './list-row';
import { type OpenRow, type Selection, useRowSelection, useRowShortcuts } from './list-rows';
import { ColumnHeader } from './list-sort';
import styles from './table.module.css';

export type { Column };

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until loaded: placeholders are shown. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowName?: (row: Row) => string;
  url?: Pick<ListUrl, 'sort' | 'sortBy' | 'setSort'>;
  selection?: Selection;
  /** Whether the rows are still those of the previous query; they are dimmed and inert. */
  isStale?: boolean;
  /** Opens rows beside the list, by click and by keyboard. */
  openRow?: OpenRow;
  /** Whether phones show a row as a card of two lines, rather than all columns with their names. */
  hasCards?: boolean;
  /** Whether rows are compact (30 px, unless text wraps), except on phones. */
  isCompact?: boolean;
}

const PLACEHOLDER_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** Observes whether a table is wider than its container; the table then scrolls instead of the page. */
function useOverflow() {
  const container = useRef<HTMLDivElement>(null);
  const [isOverflowing, setIsOverflowing] = useState(false);
  useEffect(() => {
    const frame = container.current!;
    const table = frame.querySelector('table')!;
    const observer = new ResizeObserver(() => setIsOverflowing(table.offsetWidth > frame.clientWidth));
    observer.observe(frame);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { container, isOverflowing };
}

/** Returns a function with a stable identity that calls the latest callback, so that rows are not rendered again. */
function useStableCallback<Args extends unknown[]>(
  latestCallback: (...args: Args) => void,
): (...args: Args) => void {
  const latestRef = useRef(latestCallback);
  useLayoutEffect(() => {
    latestRef.current = latestCallback;
  });
  return useCallback((...args) => latestRef.current(...args), []);
}

/** A table that screen readers still see as a table when phones show its rows as cards. */
export function ListTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, url, selection, isStale, openRow } = props;
  const hasCards = props.hasCards ?? false;
  const slots = useMemo(() => (hasCards ? cardSlots(columns) : undefined), [hasCards, columns]);
  const t = useTranslations('common');
  const { container, isOverflowing } = useOverflow();
  const keys = rows?.map(rowKey) ?? [];
  const selectedKeys = new Set(selection?.selectedKeys);
  const areAllSelected = keys.length > 0 && keys.every((key) => selectedKeys.has(key));
  const areSomeSelected = keys.some((key) => selectedKeys.has(key));
  const selectRow = useStableCallback(useRowSelection(keys, selection));
  const openRowByKey = useStableCallback((key: string) => openRow?.open(key));
  const onSelect = selection && selectRow;
  return (
    // A region that scrolls sideways must be reachable by keyboard.
    <div
      ref={container}
      className={isOverflowing ? styles.wide : undefined}
      tabIndex={isOverflowing ? 0 : undefined}
    >
      {openRow && <RowShortcuts keys={isStale ? [] : keys} openRow={openRow} selectRow={onSelect} />}
      <table
        {...ROLE_PROPS.table}
        aria-label={label}
        className={`${styles.table} ${slots ? cards.cards : ''}`}
        data-stale={isStale || undefined}
        data-compact={props.isCompact || undefined}
      >
        <thead {...ROLE_PROPS.rowgroup}>
          <tr {...ROLE_PROPS.row}>
            {selection && (
              <th {...ROLE_PROPS.columnheader} className={styles.choose}>
                <Checkbox
                  size="xs"
                  label={t('list.selectAll')}
                  classNames={{ labelWrapper: styles.chooseLabel }}
                  checked={areAllSelected}
                  indeterminate={areSomeSelected && !areAllSelected}
                  disabled={isStale}
                  onChange={() => selection.onChange(areAllSelected ? [] : keys)}
                />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHeader key={column.key} column={column} url={url} />
            ))}
          </tr>
        </thead>
        <tbody {...ROLE_PROPS.rowgroup} inert={isStale}>
          {rows?.map((row) => {
            const key = rowKey(row);
            return (
              <ListRow
                key={key}
                id={key}
                name={rowName(row)}
                row={row}
                columns={columns}
                slots={slots}
                isSelected={selectedKeys.has(key)}
                onSelect={onSelect}
                isOpen={openRow?.openKey === key}
                onOpen={openRow && openRowByKey}
              />
            );
          }) ??
            PLACEHOLDER_KEYS.map((placeholderKey) => (
              <tr key={placeholderKey} {...ROLE_PROPS.row}>
                {selection && <td {...ROLE_PROPS.cell} data-choose />}
                {columns.map(({ key, label: head, heading }) => (
                  <td
                    key={key}
                    {...ROLE_PROPS.cell}
                    data-label={head}
                    data-card={slots?.get(key)}
                    data-heading={heading || undefined}
                  >
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

/** Registers the shortcuts. A component rather than a hook, because only tables whose rows can be opened have them. */
function RowShortcuts({
  keys,
  openRow,
  selectRow,
}: {
  keys: readonly string[];
  openRow: OpenRow;
  selectRow: ((key: string, isRange: boolean) => void) | undefined;
}) {
  useRowShortcuts(keys, openRow, selectRow);
  return null;
}
