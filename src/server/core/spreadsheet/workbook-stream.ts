import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { DAY_MS } from '../days';
import type { SpreadsheetCell } from './cells';
import { columnLetters } from './column-letters';

/** A workbook that is written while its rows are still being read. */
export interface WorkbookStream {
  /** @param isBold whether the rows, such as a header, are bold; only in a sheet with {@link SheetColumn}s */
  writeRows(rows: readonly (readonly SpreadsheetCell[])[], isBold?: boolean): Promise<void>;
  end(): Promise<void>;
}

/**
 * The formats of columns, each with its number format: the id of a built-in one (ECMA-376 18.8.30) or a custom code. Days and
 * times are serial day numbers ({@link timeSerial}); a rate of 0.1 shows as ten per cent.
 */
const NUMBER_FORMATS = {
  text: 49,
  lines: 49,
  whole: 3,
  number: 0,
  amount: '#,##0.00##',
  rate: 10,
  ratio: '#,##0.00"×"',
  day: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm',
} as const;
type Format = keyof typeof NUMBER_FORMATS;
const FORMATS = Object.keys(NUMBER_FORMATS) as Format[];

/** A column of a sheet whose header row is frozen. */
export interface SheetColumn {
  format: Format;
  /** The width of the column, in characters. */
  width: number;
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const SPREADSHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Returns every part except the sheet: the minimum of ECMA-376 that spreadsheet programs open. */
const partsOf = (name: string, styles: string): [path: string, text: string][] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE_PREFIX}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT_TYPE_PREFIX}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT_TYPE_PREFIX}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE_RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${OFFICE_RELATIONSHIPS}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE_RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE_RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles],
];

/** The second cell format, number 1, is text (49), so that anything typed into the cell later stays text too. */
const PLAIN_STYLES = `<styleSheet xmlns="${SPREADSHEET_NAMESPACE}"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** Numbers up to 163 are built-in formats. */
const FIRST_CUSTOM_FORMAT = 164;
const CUSTOM_FORMATS = Object.values(NUMBER_FORMATS).filter((format) => typeof format === 'string');
const numberFormatsXml = CUSTOM_FORMATS.map(
  (code, index) =>
    `<numFmt numFmtId="${FIRST_CUSTOM_FORMAT + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
).join('');
const cellFormatsXml = (fontId: number) =>
  FORMATS.map((name) => {
    const format = NUMBER_FORMATS[name];
    const id = typeof format === 'string' ? FIRST_CUSTOM_FORMAT + CUSTOM_FORMATS.indexOf(format) : format;
    return `<xf numFmtId="${id}" fontId="${fontId}" applyNumberFormat="1" applyFont="1" applyAlignment="1"><alignment vertical="top"${name === 'lines' ? ' wrapText="1"' : ''}/></xf>`;
  }).join('');
/** After the default style, all {@link FORMATS} in an ordinary font, then all of them in bold. */
const COLUMN_STYLES = `<styleSheet xmlns="${SPREADSHEET_NAMESPACE}"><numFmts count="${CUSTOM_FORMATS.length}">${numberFormatsXml}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${1 + 2 * FORMATS.length}"><xf/>${cellFormatsXml(0)}${cellFormatsXml(1)}</cellXfs></styleSheet>`;

/** Returns the XML that freezes the first row and sets the columns' widths. */
const viewXml = (columns: readonly SheetColumn[]) =>
  `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>`;

/** The maximum length of an Excel cell's text. */
const MAX_CELL_LENGTH = 32_767;

/**
 * Returns a cell with JSON. If the JSON is too long for a cell, the cell says so instead: JSON that is cut off cannot be parsed.
 */
export const jsonCell = (json: string | null): string | null =>
  json === null || json.length <= MAX_CELL_LENGTH
    ? json
    : `Too long for a cell of a workbook (${json.length} characters). Export as CSV instead.`;

/** Characters that XML 1.0 cannot represent, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the pattern finds
const INVALID_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The serial number of 1 January 1970. */
const EPOCH_DAYS = 25_569;

/** Returns a wall-clock time such as `2026-08-22 15:04` as a serial day number. */
export function timeSerial(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`) / DAY_MS + EPOCH_DAYS;
}

/** Returns the id of a cell's style. Strings are text in every column, so that none becomes a number or a formula. */
function styleIdOf(value: SpreadsheetCell, column: SheetColumn | undefined, isBold: boolean): number {
  if (column === undefined) return typeof value === 'string' ? 1 : 0;
  const format = typeof value === 'string' && column.format !== 'lines' ? 'text' : column.format;
  return 1 + FORMATS.indexOf(format) + (isBold ? FORMATS.length : 0);
}

/** The beginning of a text such as `_x0041_`, which programs would read as an escaped character (ECMA-376 22.9.2.19). */
const ESCAPE_LOOKALIKE = /_(?=x[0-9a-f]{4}_)/gi;

/** Returns the XML of a cell. A string becomes a text cell: ids keep all their digits, and nothing is a formula. */
function cellXml(value: SpreadsheetCell, address: string, styleId: number): string {
  if (value === null || value === '') return '';
  const styleAttribute = styleId === 0 ? '' : ` s="${styleId}"`;
  if (typeof value === 'number') return `<c r="${address}"${styleAttribute}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${address}" t="b"><v>${Number(value)}</v></c>`;
  const text = value.slice(0, MAX_CELL_LENGTH).toWellFormed().replace(INVALID_IN_XML, '\ufffd');
  const escapedText = text
    .replace(ESCAPE_LOOKALIKE, '_x005F_')
    .replace(/[&<>]/g, (character) => ESCAPES[character]!);
  return `<c r="${address}"${styleAttribute} t="inlineStr"><is><t xml:space="preserve">${escapedText}</t></is></c>`;
}

/**
 * Opens a workbook of one sheet. Memory does not grow with the number of rows: each chunk is compressed and passed to `write`
 * before the next rows are accepted.
 *
 * @param columns the formats and widths of the columns; with them, the first row is also frozen as the header
 */
export function openWorkbookStream(
  name: string,
  write: (chunk: Uint8Array) => Promise<void>,
  columns?: readonly SheetColumn[],
): WorkbookStream {
  let chunks: Uint8Array[] = [];
  let failure: Error | undefined;
  let rowCount = 0;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  const flush = async () => {
    if (failure) throw failure;
    const readyChunks = chunks;
    chunks = [];
    for (const chunk of readyChunks) if (chunk.length > 0) await write(chunk);
  };
  for (const [path, text] of partsOf(name, columns ? COLUMN_STYLES : PLAIN_STYLES)) {
    const part = new ZipPassThrough(path);
    zip.add(part);
    part.push(strToU8(XML_DECLARATION + text), true);
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 });
  zip.add(sheet);
  sheet.push(
    strToU8(
      `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}">${columns ? viewXml(columns) : ''}<sheetData>`,
    ),
  );
  return {
    async writeRows(rows, isBold = false) {
      const xml = rows.map((row) => {
        rowCount += 1;
        const cells = row.map((value, index) =>
          cellXml(value, columnLetters(index) + rowCount, styleIdOf(value, columns?.[index], isBold)),
        );
        return `<row r="${rowCount}">${cells.join('')}</row>`;
      });
      sheet.push(strToU8(xml.join('')));
      await flush();
    },
    async end() {
      sheet.push(strToU8('</sheetData></worksheet>'), true);
      zip.end();
      await flush();
    },
  };
}
