import { useState } from 'react';
import { useSelectionReset } from '../../ui/list/use-selection-reset';
import type { Entry } from '../use-queue-work';

/**
 * Returns the selected entries of a queue's list, and functions that change the selection.
 * @param entries the shown entries; only these can be selected
 * @param filter the list's filter; a change clears the selection
 */
export function useSelectedEntries(entries: readonly Entry[], filter: unknown) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const select = (newIds: readonly string[]) => setIds(new Set(newIds));
  useSelectionReset(filter, () => select([]));
  return {
    ids,
    entries: entries.filter(({ id }) => ids.has(id)),
    select,
    toggle: (id: string) =>
      setIds(
        (previous) =>
          new Set(
            previous.has(id) ? [...previous].filter((selectedId) => selectedId !== id) : [...previous, id],
          ),
      ),
  };
}
