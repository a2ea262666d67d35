'use client';

import { Checkbox, Skeleton, Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import styles from './list.module.css';
import type { ListAddress } from './list-address';
import { ColumnHead, SortChoice } from './list-sort';

/** A column of a list: what it is called, and what it shows of a row. */
export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** The procedure's word for this order; the head is then a button. */
  sort?: string;
  /** Figures stand at the right, under each other. */
  figures?: boolean;
  /** Names the row: always shown, first on a phone's card. One a list. */
  heading?: boolean;
  /** Buttons at the end of the row, whose head is read out and not shown. */
  actions?: boolean;
  /** Takes what room the others leave, and cuts off what does not fit. */
  grow?: boolean;
  /** Shown only when it is chosen. */
  hidden?: boolean;
}

/** The rows that are chosen, by their keys. */
export interface Selection {
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until they are there: their places are held. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowName?: (row: Row) => string;
  address?: Pick<ListAddress, 'sort' | 'sortBy' | 'setSort'>;
  selection?: Selection;
}

const HELD_ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];
/** With more than this, the table scrolls within the page. */
const MOST_COLUMNS = 10;
const HEADER_HEIGHT = 48;

/** A table that stays a table to screen readers where a phone shows its rows as cards. */
export function ListTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, address, selection } = props;
  const t = useTranslations('common');
  const wide = columns.length > MOST_COLUMNS;
  const keys = rows?.map(rowKey) ?? [];
  const selected = new Set(selection?.selected);
  const all = keys.length > 0 && keys.every((key) => selected.has(key));
  const some = keys.some((key) => selected.has(key));
  const choose = (key: string) =>
    selection?.onChange(
      selected.has(key) ? selection.selected.filter((other) => other !== key) : [...selection.selected, key],
    );
  return (
    // What scrolls sideways must be reachable by keyboard.
    <div className={wide ? styles.wide : undefined} tabIndex={wide ? 0 : undefined}>
      {address && <SortChoice columns={columns} address={address} />}
      <Table
        role="table"
        aria-label={label}
        className={styles.table}
        verticalSpacing={6}
        horizontalSpacing="sm"
        highlightOnHover
        stickyHeader
        stickyHeaderOffset={wide ? 0 : HEADER_HEIGHT}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection && (
              <Table.Th role="columnheader" w={40}>
                <Checkbox
                  size="xs"
                  aria-label={t('list.selectAll')}
                  checked={all}
                  indeterminate={some && !all}
                  onChange={() => selection.onChange(all ? [] : keys)}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} address={address} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows?.map((row) => {
            const key = rowKey(row);
            return (
              <Table.Tr key={key} role="row" data-selected={selected.has(key) || undefined}>
                {selection && (
                  <Table.Td role="cell" data-choose>
                    <Checkbox
                      size="xs"
                      aria-label={t('list.select', { name: rowName(row) })}
                      checked={selected.has(key)}
                      onChange={() => choose(key)}
                    />
                  </Table.Td>
                )}
                {columns.map(({ key: name, label: head, render, figures, heading, grow, actions }) => (
                  <Table.Td
                    key={name}
                    role="cell"
                    data-label={actions ? undefined : head}
                    data-heading={heading || undefined}
                    data-grow={grow || undefined}
                    className={figures ? `figures ${styles.end}` : actions ? styles.end : undefined}
                  >
                    {render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          }) ??
            HELD_ROWS.map((held) => (
              <Table.Tr key={held} role="row">
                {selection && <Table.Td role="cell" data-choose />}
                {columns.map(({ key, label: head, heading }) => (
                  <Table.Td key={key} role="cell" data-label={head} data-heading={heading || undefined}>
                    <Skeleton height={24} radius="sm" />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
