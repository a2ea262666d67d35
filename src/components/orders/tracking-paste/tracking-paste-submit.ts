import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../api/client';
import { OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { base64Of } from '../../ui/form/csv-file';
import { type PastedRow, rowKeyOf, textOfTable } from './tracking-paste';

/** The shops that have the order number of a refused row; empty if none does. */
export type RefusedShops = RouterOutputs['trackingPaste']['submit']['refused'][number]['shops'];

/** Submits rows, and remembers which were refused and which shop was chosen for them. */
export function useTrackingSubmit() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [refusedShops, setRefusedShops] = useState<ReadonlyMap<string, RefusedShops>>(new Map());
  const [chosenShops, setChosenShops] = useState<ReadonlyMap<string, number>>(new Map());
  const set = useMutation(
    trpc.trackingPaste.submit.mutationOptions({
      onSuccess: () =>
        Promise.all(
          [trpc.orders, trpc.queues].map((part) => queryClient.invalidateQueries(part.pathFilter())),
        ),
      ...OWN_ERROR,
    }),
  );
  return {
    /** @param onDone receives the refused rows */
    submit: (rows: readonly PastedRow[], onDone: (refused: PastedRow[]) => void) =>
      set.mutate(
        {
          rows: rows.map((row) => ({
            receipt_id: row.receipt_id,
            tracking_number: row.tracking_number,
            ...(row.carrier_code === '' ? {} : { carrier_code: row.carrier_code }),
            ...(chosenShops.has(rowKeyOf(row)) ? { shop_id: chosenShops.get(rowKeyOf(row)) } : {}),
          })),
        },
        {
          onSuccess: (result) => {
            const stillRefused = result.refused.map(({ row, shops }) => ({ row: rows[row]!, shops }));
            const untouched = [...refusedShops].filter(([key]) => !rows.some((row) => rowKeyOf(row) === key));
            setRefusedShops(
              new Map([
                ...untouched,
                ...stillRefused.map(({ row, shops }) => [rowKeyOf(row), shops] as const),
              ]),
            );
            onDone(stillRefused.map(({ row }) => row));
          },
        },
      ),
    refusedShops,
    chosenShops,
    choose: (row: PastedRow, shop: number) => setChosenShops(new Map(chosenShops).set(rowKeyOf(row), shop)),
    result: set.data,
    error: set.error,
    busy: set.isPending,
    forget: () => {
      set.reset();
      setRefusedShops(new Map());
      setChosenShops(new Map());
    },
  };
}

/**
 * Reads a CSV file or a workbook as text to paste. Keeps the browser from replacing the page with a file that is dropped beside the
 * field.
 */
export function useTrackingFile(onRead: (text: string) => void) {
  const client = useTRPCClient();
  const read = useMutation({
    ...OWN_ERROR,
    mutationFn: async (file: File) =>
      client.trackingPaste.readFile.mutate({ name: file.name, file: await base64Of(file) }),
  });
  useEffect(() => {
    const preventOpening = (event: DragEvent) => event.preventDefault();
    window.addEventListener('dragover', preventOpening);
    window.addEventListener('drop', preventOpening);
    return () => {
      window.removeEventListener('dragover', preventOpening);
      window.removeEventListener('drop', preventOpening);
    };
  }, []);
  return {
    read: (file: File | null) => {
      if (file) read.mutate(file, { onSuccess: ({ rows }) => onRead(textOfTable(rows)) });
    },
    busy: read.isPending,
    error: read.error,
  };
}
