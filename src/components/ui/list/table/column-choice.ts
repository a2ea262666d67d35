import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './list-table';

export interface ColumnChoice<Row> {
  visible: Column<Row>[];
  isVisible(key: string): boolean;
  toggle(key: string): void;
}

/** Returns the visible columns of a list, and stores the choice in this browser under the list's id. */
export function useColumnChoice<Row>(id: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const defaults = columns.filter(({ hidden }) => !hidden).map(({ key }) => key);
  const [shown, setShown] = useLocalStorage<string[]>({
    key: `brickdesk.columns.${id}`,
    defaultValue: defaults,
  });
  const isVisible = (key: string) =>
    shown.includes(key) || columns.some((column) => column.key === key && column.heading);
  // Memoized, because rows are rendered again if their columns change.
  const visible = useMemo(
    () => columns.filter(({ key, heading }) => heading || shown.includes(key)),
    [columns, shown],
  );
  return {
    visible,
    isVisible,
    toggle: (key) => setShown(shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key]),
  };
}
