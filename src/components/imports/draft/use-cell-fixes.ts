'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../../api/client';
import type { FixedCells } from './rejected-row';

/** The input of a cell that is saved, and the element that has the focus now, if any. */
export interface CellFocus {
  input: HTMLElement;
  next: Element | null;
}

/**
 * Returns functions that fix cells of a draft and check the file again. `fixCells` rejects if that fails. `fixCell` fixes one cell
 * of a list and returns whether it could. Once the list has been reloaded without the element of the list that had the focus,
 * `fixCell` moves the focus to the cell at the position of the fixed one, otherwise to the last one, and to the selected tab if no
 * cell is left.
 *
 * @param rows the list; undefined until loaded
 * @returns `listRef` is the ref of the list's element
 */
export function useCellFixes(draftId: string, rows: readonly unknown[] | undefined, onFixed?: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const listRef = useRef<HTMLDivElement>(null);
  const { mutateAsync: saveCells } = useMutation(
    trpc.imports.fix.mutationOptions({
      // One after another, because the service refuses concurrent changes of a draft.
      scope: { id: `fixes of ${draftId}` },
      onSuccess: async () => {
        onFixed?.();
        await Promise.all([
          queryClient.invalidateQueries(trpc.imports.preview.pathFilter()),
          queryClient.invalidateQueries(trpc.imports.draft.pathFilter()),
        ]);
      },
    }),
  );
  const findInputs = () => [...(listRef.current?.querySelectorAll<HTMLElement>('input[data-fix]') ?? [])];
  /** The index of the fixed cell, until the remaining rows are loaded. */
  const fixedIndex = useRef<number | null>(null);
  const fixCells = (cells: FixedCells) => saveCells({ id: draftId, cells });
  const fixCell = async (cell: FixedCells[number], focus: CellFocus | null) => {
    // Outside the list, the focus stays where the user put it.
    if (focus && listRef.current?.contains(focus.next))
      fixedIndex.current = findInputs().indexOf(focus.input);
    try {
      await fixCells([cell]);
      return true;
    } catch {
      // The shared error handler has shown the error.
      fixedIndex.current = null;
      return false;
    }
  };
  // If the fixed cell has left the list, its index is now that of the next cell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the rows change
  useEffect(() => {
    if (fixedIndex.current === null || rows === undefined) return;
    const remainingInputs = findInputs();
    if (document.activeElement === document.body)
      (
        remainingInputs[Math.min(Math.max(fixedIndex.current, 0), remainingInputs.length - 1)] ??
        document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
      )?.focus();
    fixedIndex.current = null;
  }, [rows]);
  return { listRef, fixCell, fixCells };
}
