import { expect } from 'vitest';
import type {
  ImportedItem,
  ImportedShipment,
  OrderFields,
} from '../../src/server/orders/import/order-fields';
import { type PreparedImport, prepareImport } from '../../src/server/orders/import/prepare';

const MAX_ROWS = 50_000;

const parseArray = <T>(json: Uint8Array): T[] => JSON.parse(new TextDecoder().decode(json)) as T[];

/** Returns what a prepared import passes to the database. */
export function contentsOf(prepared: PreparedImport) {
  return {
    orders: prepared.orders.flatMap((batch) => parseArray<OrderFields>(batch)),
    items: prepared.items.flatMap((batch) => parseArray<ImportedItem>(batch)),
    shipments: parseArray<ImportedShipment>(prepared.shipments),
    warnings: prepared.warnings,
  };
}

/** Prepares a body of JSON text, which may contain values that no literal in a test can express. */
export function prepareText(json: string, maxRows = MAX_ROWS): PreparedImport {
  return prepareImport({ body: new TextEncoder().encode(json) }, maxRows);
}

function prepareRows(rows: readonly unknown[], excelFormat: boolean): PreparedImport {
  return prepareText(JSON.stringify({ account_id: 1, rows, excel_format: excelFormat }));
}

/** Returns the contents of an import of these rows, which must be accepted. */
export function importedContents(rows: readonly unknown[], excelFormat = false) {
  const prepared = prepareRows(rows, excelFormat);
  expect(prepared.problems).toEqual([]);
  return contentsOf(prepared);
}

/** Returns the paths of the problems of these rows, which must be refused. */
export function refusedPaths(rows: readonly unknown[], excelFormat = false): string[] {
  const prepared = prepareRows(rows, excelFormat);
  expect(prepared.problemCount).toBeGreaterThan(0);
  expect(contentsOf(prepared)).toMatchObject({ orders: [], items: [], shipments: [] });
  return prepared.problems.map((problem) => problem.path);
}
