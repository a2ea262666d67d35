import { BYTE_ORDER_MARK, csvLines } from '../text/csv';
import type { SpreadsheetCell } from './cells';
import type { SheetFormat } from './formats';
import { openWorkbookStream, type SheetColumn, timeSerial } from './workbook-stream';

/** A column of an exported spreadsheet, with its header in the reader's language. */
export interface NamedColumn extends SheetColumn {
  header: string;
}

/** A row of a spreadsheet; numbers are decimal text, so that they stay exact. */
type SheetRow = readonly (string | null)[];

/** A spreadsheet that is written while its rows are still being read. */
export interface SheetFile {
  /** @param isBold whether the rows, such as sums, are bold; only in a workbook */
  writeRows(rows: readonly SheetRow[], isBold?: boolean): Promise<void>;
  end(): Promise<void>;
}

type WriteChunk = (chunk: Uint8Array) => Promise<void>;

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Converts a cell for a workbook: figures to numbers, days and times to dates, everything else to text. */
function toWorkbookCell(cell: string | null, { format }: SheetColumn): SpreadsheetCell {
  if (cell === null || format === 'text' || format === 'lines') return cell;
  if (format === 'time') return TIME.test(cell) ? timeSerial(cell) : cell;
  if (format === 'day') return DAY.test(cell) ? timeSerial(`${cell} 00:00`) : cell;
  if (!NUMBER.test(cell)) return cell;
  return format === 'rate' ? Number(`${cell}e-2`) : Number(cell);
}

/** Converts a cell for a CSV file. A rate gets a per cent sign, which spreadsheet programs understand. */
const toCsvCell = (cell: string | null, { format }: SheetColumn): string | null =>
  format === 'rate' && cell !== null && NUMBER.test(cell) ? `${cell}%` : cell;

/**
 * Opens a spreadsheet and writes its header: CSV with a byte order mark, or a workbook with a frozen header row. Strings
 * that a spreadsheet program would take for formulas stay text in both.
 *
 * @param name the name of the workbook's sheet
 */
export async function openSheetFile(
  { format, name, columns }: { format: SheetFormat; name: string; columns: readonly NamedColumn[] },
  write: WriteChunk,
): Promise<SheetFile> {
  const file = format === 'csv' ? openCsv(columns, write) : openWorkbook(name, columns, write);
  await file.writeHeader(columns.map(({ header }) => header));
  return file;
}

type OpenedFile = SheetFile & { writeHeader(names: SheetRow): Promise<void> };

function openCsv(columns: readonly NamedColumn[], write: WriteChunk): OpenedFile {
  return {
    writeHeader: (names) => write(Buffer.from(BYTE_ORDER_MARK + csvLines([names]))),
    writeRows: (rows) =>
      write(
        Buffer.from(csvLines(rows.map((row) => row.map((cell, index) => toCsvCell(cell, columns[index]!))))),
      ),
    async end() {},
  };
}

function openWorkbook(name: string, columns: readonly NamedColumn[], write: WriteChunk): OpenedFile {
  const sheet = openWorkbookStream(name, write, columns);
  return {
    writeHeader: (names) => sheet.writeRows([names], true),
    writeRows: (rows, isBold) =>
      sheet.writeRows(
        rows.map((row) => row.map((cell, index) => toWorkbookCell(cell, columns[index]!))),
        isBold,
      ),
    end: sheet.end,
  };
}
