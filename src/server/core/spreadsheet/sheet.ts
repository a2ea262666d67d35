import { createReason } from '../errors/reason';

import { type Archive, refusedFileError, unpackedSizeError } from './archive';
import { CellList } from './cell-list';
import { decodeEscapes, isoDateText, type SpreadsheetCell, serialDateText } from './cells';
import { columnIndex, columnLetters } from './column-letters';
import { MAX_TEXT_LENGTH, TextRuns, UNREADABLE } from './text-runs';
import { readXml, type XmlHandlers } from './xml';

/** The maximum number of cells that a sheet may span: one stray cell must not fill every row with thousands of blanks. */
const MAX_SPANNED_CELLS = 40_000_000;
const MAX_ROW = 1_048_576;
const MAX_COLUMN = 16_384;
/** The maximum length of all cells' text together: a million cells may refer to one long string. */
const MAX_TOTAL_TEXT_LENGTH = 64 * 1024 * 1024;

export const NOT_A_WORKBOOK = createReason('file.noWorkbook');

/** The parts of the workbook that cells refer to. */
export interface SheetContext {
  strings: readonly string[];
  /** For each style, whether it shows numbers as dates. */
  isDateByStyle: readonly boolean[];
  dateSystem: 1900 | 1904;
}

/** The non-blank rows of a sheet, each padded to the sheet's width, and their row numbers. */
export interface SheetRows {
  rows: SpreadsheetCell[][];
  lines: number[];
}

/** The cell being read. */
interface OpenCell {
  row: number;
  column: number;
  type: string;
  style: number;
  value: string | undefined;
  hasFormula: boolean;
  hasText: boolean;
}

class SheetReader implements XmlHandlers {
  readonly #context: SheetContext;
  readonly #sheet: SheetRows = { rows: [], lines: [] };
  readonly #errorCells = new CellList();
  /** Formulas without a stored result. */
  readonly #formulasWithoutResult = new CellList();
  readonly #runs = new TextRuns();
  #row = 0;
  #column = 0;
  #rowCount = 0;
  #columnCount = 0;
  #cells: SpreadsheetCell[] = [];
  #cell: OpenCell | null = null;
  #isInValue = false;
  #textLength = 0;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const cell = this.#cell;
    if (cell === null) {
      if (name === 'c') this.#openCell(attributes);
      else if (name === 'row') this.#openRow(attributes.r);
    } else if (name === 'v') {
      this.#isInValue = true;
      cell.value ??= '';
    } else if (name === 'f') cell.hasFormula = true;
    else if (name === 'is') cell.hasText = true;
    else this.#runs.open(name);
  }

  close(name: string): void {
    if (this.#cell === null) {
      if (name === 'row') this.#closeRow();
    } else if (name === 'v') this.#isInValue = false;
    else if (name === 'c') {
      this.#closeCell(this.#cell);
      this.#cell = null;
    } else this.#runs.close(name);
  }

  text(text: string): void {
    if (this.#isInValue) {
      const cell = this.#cell!;
      cell.value += text;
      if (cell.value!.length > MAX_TEXT_LENGTH * 8) throw refusedFileError(UNREADABLE);
    } else if (this.#cell !== null) this.#runs.add(text);
  }

  /**
   * @returns null if all cells are blank
   * @throws ServiceError `validation_failed` if the sheet spans too many cells, or has error values or formulas without results
   */
  finish(): SheetRows | null {
    this.#checkSpan();
    if (this.#errorCells.count > 0)
      throw refusedFileError(this.#errorCells.reason('file.errors', 'file.manyErrors'));
    if (this.#formulasWithoutResult.count > 0)
      throw refusedFileError(this.#formulasWithoutResult.reason('file.formulas', 'file.manyFormulas'));
    if (this.#sheet.rows.length === 0) return null;
    for (const row of this.#sheet.rows) while (row.length < this.#columnCount) row.push(null);
    return this.#sheet;
  }

  #openRow(numberText: string | undefined): void {
    const row = numberText === undefined ? this.#row + 1 : Number(numberText);
    // Row numbers must ascend: a repeated number would make two rows with that number.
    if (!Number.isInteger(row) || row <= this.#row || row > MAX_ROW) throw refusedFileError(NOT_A_WORKBOOK);
    this.#row = row;
    this.#rowCount = row;
    this.#column = 0;
    this.#cells = [];
  }

  #closeRow(): void {
    if (this.#cells.length === 0) return;
    this.#sheet.rows.push(this.#cells);
    this.#sheet.lines.push(this.#row);
    this.#cells = [];
  }

  #openCell({ r: address, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    let column = this.#column + 1;
    if (address !== undefined) {
      const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? [];
      column = columnIndex(letters) + 1;
      if (Number(digits) !== this.#row || column <= this.#column) throw refusedFileError(NOT_A_WORKBOOK);
    }
    if (this.#row === 0 || column > MAX_COLUMN) throw refusedFileError(NOT_A_WORKBOOK);
    this.#column = column;
    this.#cell = {
      row: this.#row,
      column,
      type,
      style: style === undefined ? -1 : Number(style),
      value: undefined,
      hasFormula: false,
      hasText: false,
    };
  }

  #closeCell(cell: OpenCell): void {
    const text = this.#runs.takeText();
    if (cell.value === undefined && !cell.hasText) {
      if (cell.hasFormula) this.#noteCell(this.#formulasWithoutResult, cell);
      return;
    }
    this.#columnCount = Math.max(this.#columnCount, cell.column);
    if (cell.type === 'e') {
      this.#noteCell(this.#errorCells, cell);
      return;
    }
    const value = this.#valueOf(cell, text);
    if (value === null) return;
    if (typeof value === 'string') {
      this.#textLength += value.length;
      if (this.#textLength > MAX_TOTAL_TEXT_LENGTH)
        throw unpackedSizeError(`${MAX_TOTAL_TEXT_LENGTH / 1024 / 1024} MiB of text`);
    }
    this.#checkSpan();
    while (this.#cells.length < cell.column - 1) this.#cells.push(null);
    this.#cells.push(value);
  }

  #noteCell(list: CellList, { row, column }: OpenCell): void {
    list.add(`${columnLetters(column - 1)}${row}`);
  }

  #valueOf({ type, value = '', style }: OpenCell, inlineText: string): SpreadsheetCell {
    const { strings, isDateByStyle, dateSystem } = this.#context;
    switch (type) {
      case 'inlineStr':
        return textCell(inlineText);
      case 'str':
        return textCell(decodeEscapes(value));
      case 's': {
        const text = /^\s*\d{1,8}\s*$/.test(value) ? strings[Number(value)] : undefined;
        if (text === undefined) throw refusedFileError(UNREADABLE);
        return textCell(text);
      }
      case 'b':
        if (value.trim() !== '1' && value.trim() !== '0') throw refusedFileError(UNREADABLE);
        return value.trim() === '1';
      case 'd': {
        const text = isoDateText(value);
        if (text === undefined) throw refusedFileError(UNREADABLE);
        return text;
      }
      case 'n': {
        const number = Number(value);
        if (value.length > 400 || !Number.isFinite(number)) throw refusedFileError(UNREADABLE);
        if (value.trim() === '') return null;
        // A number that is out of range for a date, such as a long id, stays a number.
        return isDateByStyle[style] === true ? (serialDateText(number, dateSystem) ?? number) : number;
      }
      default:
        throw refusedFileError(UNREADABLE);
    }
  }

  #checkSpan(): void {
    if (this.#rowCount * this.#columnCount <= MAX_SPANNED_CELLS) return;
    throw refusedFileError(createReason('file.stray', { rows: this.#rowCount, columns: this.#columnCount }));
  }
}

function textCell(text: string): string | null {
  if (text.length > MAX_TEXT_LENGTH) throw refusedFileError(UNREADABLE);
  const trimmedText = text.trim();
  return trimmedText === '' ? null : trimmedText;
}

/**
 * Reads the part of the archive that holds a sheet.
 *
 * @returns null if all its cells are blank
 * @throws ServiceError `validation_failed`; XmlError
 */
export async function readSheetRows(
  archive: Archive,
  part: string,
  context: SheetContext,
): Promise<SheetRows | null> {
  const reader = new SheetReader(context);
  await readXml(archive.chunks(part), reader);
  return reader.finish();
}
