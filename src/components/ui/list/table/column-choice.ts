import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './list-table';

export interface ColumnChoice<Row> {
  visible: Column<Row>[];
  isVisible(key: string): boolean;
  toggle(key: string): void;
}

/** The columns of a list that this browser shows; stored under the list's name. */
export function useColumnChoice<Row>(id: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const usual = columns.filter(({ hidden }) => !hidden).map(({ key }) => key);
  const [shown, setShown] = useLocalStorage<string[]>({
    key: `brickdesk.columns.${id}`,
    defaultValue: usual,
  });
  const isVisible = (key: string) =>
    shown.includes(key) || columns.some((column) => column.key === key && column.heading);
  // Rows are rendered again only if their columns are other ones.
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
