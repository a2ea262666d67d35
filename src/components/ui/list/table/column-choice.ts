import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './list-table';

export interface ColumnChoice<Row> {
  visibleColumns: Column<Row>[];
  isVisible(key: string): boolean;
  toggle(key: string): void;
}

/** Returns the visible columns of a list, and stores the choice in this browser under the list's id. */
export function useColumnChoice<Row>(id: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const defaults = columns.filter(({ hidden }) => !hidden).map(({ key }) => key);
  const [keys, setKeys] = useLocalStorage<string[]>({
    key: `brickdesk.columns.${id}`,
    defaultValue: defaults,
  });
  const isVisible = (key: string) =>
    keys.includes(key) || columns.some((column) => column.key === key && column.heading);
  // Memoized, because rows are rendered again if their columns change.
  const visibleColumns = useMemo(
    () => columns.filter(({ key, heading }) => heading || keys.includes(key)),
    [columns, keys],
  );
  return {
    visibleColumns,
    isVisible,
    toggle: (key) =>
      setKeys(keys.includes(key) ? keys.filter((otherKey) => otherKey !== key) : [...keys, key]),
  };
}
