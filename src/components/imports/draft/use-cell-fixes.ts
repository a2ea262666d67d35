'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../../api/client';
import type { FixedCells } from './rejected-row';

/**
 * Returns functions that fix cells of a draft and check the file again. `fixCells` rejects if that fails. `fixCell` fixes one cell
 * of a list and does not reject; once the list has been reloaded, it moves the focus to the cell at the same position, otherwise to
 * the last one, and to the selected tab if no cell is left.
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
  const fixCell = async (cell: FixedCells[number]) => {
    fixedIndex.current = findInputs().indexOf(document.activeElement as HTMLElement);
    try {
      await fixCells([cell]);
    } catch {
      // The shared error handler has shown the error.
      fixedIndex.current = null;
    }
  };
  // If the fixed cell has left the list, its index is now that of the next cell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the rows change
  useEffect(() => {
    if (fixedIndex.current === null || rows === undefined) return;
    const remainingInputs = findInputs();
    (
      remainingInputs[Math.min(Math.max(fixedIndex.current, 0), remainingInputs.length - 1)] ??
      document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
    )?.focus();
    fixedIndex.current = null;
  }, [rows]);
  return { listRef, fixCell, fixCells };
}
