import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './list-table';

export interface ColumnVisibility<Row> {
  visibleColumns: Column<Row>[];
  isVisible(key: string): boolean;
  toggle(key: string): void;
}

/** Returns the visible columns of a list, and stores the choice in this browser under the list's id. */
export function useColumnVisibility<Row>(id: string, columns: readonly Column<Row>[]): ColumnVisibility<Row> {
  const defaultKeys = columns.filter(({ hidden }) => !hidden).map(({ key }) => key);
  const [chosenKeys, setChosenKeys] = useLocalStorage<string[]>({
    key: `brickdesk.columns.${id}`,
    defaultValue: defaultKeys,
  });
  const isVisible = (key: string) =>
    chosenKeys.includes(key) || columns.some((column) => column.key === key && column.heading);
  // Memoized, because rows are rendered again if their columns change.
  const visibleColumns = useMemo(
    () => columns.filter(({ key, heading }) => heading || chosenKeys.includes(key)),
    [columns, chosenKeys],
  );
  return {
    visibleColumns,
    isVisible,
    toggle: (key) =>
      setChosenKeys(
        chosenKeys.includes(key) ? chosenKeys.filter((otherKey) => otherKey !== key) : [...chosenKeys, key],
      ),
  };
}
