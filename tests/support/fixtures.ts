import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** Returns the rows of a real export, header first, with every cell as text. */
export function readFixtureRows(name: 'us' | 'uk'): string[][] {
  const text = readFileSync(`tests/fixtures/sold-order-items-${name}.csv`, 'utf8');
  return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
}

/** Returns an export row with these cells by position, and all others blank. */
export function createExportRow(cells: Record<number, unknown>, length = 33): unknown[] {
  return Array.from({ length }, (_, column) => cells[column] ?? '');
}

/** The header row of the marketplace's export. */
export const HEADER = readFixtureRows('us')[0]!;
