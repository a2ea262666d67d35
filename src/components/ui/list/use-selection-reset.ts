import { useEffect } from 'react';

/**
 * Clears the selection of a list when its filter changes, so that nobody acts on rows that are no longer shown.
 * @param filter the list's filter, which can be converted to JSON
 */
export function useSelectionReset(filter: unknown, clearSelection: () => void): void {
  const filterKey = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the filter changes
  useEffect(() => clearSelection(), [filterKey]);
}
