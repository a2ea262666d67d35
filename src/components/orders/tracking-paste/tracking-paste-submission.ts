import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { readBase64 } from '../../ui/form/csv-file';
import { type PastedRow, rowKeyOf, textOfTable } from './tracking-paste';

/** The shops to choose from for a refused row: those in use that have its order number. */
export type CandidateShops = RouterOutputs['trackingPaste']['submit']['refused'][number]['shops'];

/** Submits rows, and remembers the refused ones and the shops that the user chooses for them. */
export function useTrackingSubmit() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [refusals, setRefusals] = useState<ReadonlyMap<string, CandidateShops>>(new Map());
  const [chosenShopIds, setChosenShopIds] = useState<ReadonlyMap<string, number>>(new Map());
  const [addedNumbers, setAddedNumbers] = useState<readonly string[]>([]);
  const submission = useMutation(
    trpc.trackingPaste.submit.mutationOptions({
      onSuccess: () =>
        Promise.all(
          [trpc.orders, trpc.queues].map((router) => queryClient.invalidateQueries(router.pathFilter())),
        ),
      ...SHOWS_OWN_ERROR,
    }),
  );
  return {
    /** @param onDone receives the refused rows, also if the user has left the page meanwhile */
    submit: (rows: readonly PastedRow[], onDone: (refusedRows: PastedRow[]) => void) =>
      submission
        .mutateAsync({
          rows: rows.map((row) => ({
            receipt_id: row.receipt_id,
            tracking_number: row.tracking_number,
            ...(row.carrier_code === '' ? {} : { carrier_code: row.carrier_code }),
            ...(chosenShopIds.has(rowKeyOf(row)) ? { shop_id: chosenShopIds.get(rowKeyOf(row)) } : {}),
          })),
        })
        .then(
          (result) => {
            const newRefusals = result.refused.map(({ row: rowIndex, shops }) => ({
              row: rows[rowIndex]!,
              shops,
            }));
            const submittedKeys = new Set(rows.map(rowKeyOf));
            const isOther = ([key]: readonly [string, unknown]) => !submittedKeys.has(key);
            setRefusals(
              (previous) =>
                new Map([
                  ...[...previous].filter(isOther),
                  ...newRefusals.map(({ row, shops }) => [rowKeyOf(row), shops] as const),
                ]),
            );
            // A refused row needs a new choice: the shop chosen for it is not among its candidates.
            setChosenShopIds((previous) => new Map([...previous].filter(isOther)));
            const refusedRows = new Set(newRefusals.map(({ row }) => row));
            setAddedNumbers(
              rows
                .filter((row) => !refusedRows.has(row))
                .map(({ tracking_number: number }) => number.replace(/\s/g, '')),
            );
            onDone(newRefusals.map(({ row }) => row));
          },
          // The page shows `error`.
          () => undefined,
        ),
    /** The candidate shops of each refused row, by the row's key. */
    refusals,
    chosenShopIds,
    chooseShop: (row: PastedRow, shopId: number) =>
      setChosenShopIds((previous) => new Map(previous).set(rowKeyOf(row), shopId)),
    /** The tracking numbers of the rows that the last submission applied, without spaces. */
    addedNumbers,
    result: submission.data,
    error: submission.error,
    busy: submission.isPending,
    resetSubmission: () => {
      submission.reset();
      setRefusals(new Map());
      setChosenShopIds(new Map());
    },
  };
}

/**
 * Returns a function that reads a CSV file or a workbook as text to paste. Keeps the browser from replacing the page with a file
 * that is dropped beside the field.
 *
 * @param onRead receives the text
 */
export function useTrackingFile(onRead: (text: string) => void) {
  const client = useTRPCClient();
  const readFile = useMutation({
    ...SHOWS_OWN_ERROR,
    mutationFn: async (file: File) =>
      client.trackingPaste.readFile.mutate({ name: file.name, file: await readBase64(file) }),
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
    readFile: (file: File | null) => {
      if (file) readFile.mutate(file, { onSuccess: ({ rows }) => onRead(textOfTable(rows)) });
    },
    busy: readFile.isPending,
    error: readFile.error,
  };
}
