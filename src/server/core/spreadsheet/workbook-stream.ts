import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { SpreadsheetCell } from './cells';

/** A workbook that is written while its rows are still being read. */
export interface WorkbookStream {
  rows(rows: readonly (readonly SpreadsheetCell[])[]): Promise<void>;
  end(): Promise<void>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Every part except the sheet (ECMA-376; the minimum that spreadsheet programs open). */
const parts = (name: string): [path: string, text: string][] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  // The second format of a cell, number 1, is text (49): what is typed into the cell later stays text too.
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
];

/** The longest text of an Excel cell. */
const LONGEST_CELL = 32_767;
/** Characters that XML 1.0 cannot hold, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The letters of a column counted from 0: A to Z, AA and so on. */
function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** A string is a text cell: ids keep their leading zeros and all digits, and nothing is a formula. */
function cell(value: SpreadsheetCell, address: string): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${address}" t="b"><v>${Number(value)}</v></c>`;
  const text = value.slice(0, LONGEST_CELL).toWellFormed().replace(NO_XML, '\ufffd');
  const escaped = text.replace(/[&<>]/g, (letter) => ESCAPES[letter]!);
  return `<c r="${address}" s="1" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/**
 * Opens a workbook of one sheet. Memory does not grow with the rows: each piece is compressed and passed to `write` before the
 * next rows are taken.
 */
export function openWorkbookStream(
  name: string,
  write: (chunk: Uint8Array) => Promise<void>,
): WorkbookStream {
  let made: Uint8Array[] = [];
  let failed: Error | undefined;
  let written = 0;
  const zip = new Zip((error, chunk) => {
    if (error) failed = error;
    else made.push(chunk);
  });
  const flush = async () => {
    if (failed) throw failed;
    const ready = made;
    made = [];
    for (const chunk of ready) if (chunk.length > 0) await write(chunk);
  };
  for (const [path, text] of parts(name)) {
    const part = new ZipPassThrough(path);
    zip.add(part);
    part.push(strToU8(XML + text), true);
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 });
  zip.add(sheet);
  sheet.push(strToU8(`${XML}<worksheet xmlns="${MAIN}"><sheetData>`));
  return {
    async rows(rows) {
      const xml = rows.map((row) => {
        written += 1;
        const cells = row.map((value, column) => cell(value, columnName(column) + written));
        return `<row r="${written}">${cells.join('')}</row>`;
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
