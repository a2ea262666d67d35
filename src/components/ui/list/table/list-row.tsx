'use client';

import { useTranslations } from 'next-intl';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { type CardSlots, type Column, ROLE_PROPS } from './list-column';
import { focusRow, isRowClick } from './list-rows';
import styles from './table.module.css';

interface Props<Row> {
  /** The row's key. */
  id: string;
  name: string;
  row: Row;
  columns: readonly Column<Row>[];
  /** Undefined for a list that shows all columns on phones too. */
  slots: CardSlots | undefined;
  isSelected: boolean;
  /** Selects or deselects the row, or selects a range that ends with it (useRowSelection); absent if rows cannot be selected. */
  onSelect: ((key: string, isRange: boolean) => void) | undefined;
  isOpen: boolean;
  /** Opens the row beside the list; absent if rows cannot be opened. */
  onOpen: ((key: string) => void) | undefined;
}

/** A row of a list. The link in its heading takes the keyboard focus. Memoized, because a page may have 200 rows. */
export const ListRow = memo(function ListRow<Row>(props: Props<Row>) {
  const { id, name, row, columns, slots, isSelected, onSelect, isOpen, onOpen } = props;
  const t = useTranslations('common');
  const handleClick = (event: MouseEvent) => {
    // The whole cell toggles the checkbox, which is too small for a finger.
    if (onSelect && event.target instanceof HTMLElement && event.target.dataset.choose)
      return onSelect(id, event.shiftKey);
    if (!onOpen || !isRowClick(event)) return;
    if (event.shiftKey && onSelect) onSelect(id, true);
    else {
      focusRow(id);
      onOpen(id);
    }
  };
  return (
    <tr
      {...ROLE_PROPS.row}
      data-row={id}
      data-selected={isSelected || undefined}
      data-opens={onOpen ? true : undefined}
      data-open={isOpen || undefined}
      onClick={onOpen || onSelect ? handleClick : undefined}
      // Keeps Shift-click from selecting the text in between.
      onMouseDown={onOpen && ((event) => event.shiftKey && event.preventDefault())}
    >
      {onSelect && (
        <td {...ROLE_PROPS.cell} data-choose>
          {/* A native checkbox: Mantine's needs several components, which is slow if all rows of a page are selected together. */}
          <input
            type="checkbox"
            className={styles.box}
            aria-label={t('list.select', { name })}
            checked={isSelected}
            onChange={({ nativeEvent }) => onSelect(id, (nativeEvent as globalThis.MouseEvent).shiftKey)}
            onKeyDown={(event) => {
              if (event.key !== ' ' || !event.shiftKey) return;
              event.preventDefault();
              onSelect(id, true);
            }}
          />
        </td>
      )}
      <Cells row={row} columns={columns} slots={slots} />
    </tr>
  );
}) as <Row>(props: Props<Row>) => ReactNode;

/** The cells of a row. Memoized, so that they are not rendered again when the row is selected. */
const Cells = memo(function Cells<Row>({
  row,
  columns,
  slots,
}: Pick<Props<Row>, 'row' | 'columns' | 'slots'>) {
  return (
    <>
      {columns.map(({ key, label, render, numeric, heading, grow, actions }) => (
        <td
          key={key}
          {...ROLE_PROPS.cell}
          data-label={actions ? undefined : label}
          data-card={slots?.get(key)}
          data-heading={heading || undefined}
          data-grow={grow || undefined}
          className={numeric ? `figures ${styles.end}` : actions ? styles.end : undefined}
        >
          {render(row)}
        </td>
      ))}
    </>
  );
}) as <Row>(props: Pick<Props<Row>, 'row' | 'columns' | 'slots'>) => ReactNode;
