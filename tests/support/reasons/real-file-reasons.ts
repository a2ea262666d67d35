import { strToU8, zipSync } from 'fflate';
import type { ServiceError } from '../../../src/server/core/errors/errors';
import type { Reason } from '../../../src/server/core/errors/reason';
import { readSpreadsheet } from '../../../src/server/core/spreadsheet/spreadsheet';

const reasonsFor = (bytes: Uint8Array | string) =>
  readSpreadsheet(
    { name: 'my orders is old.csv', bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes },
    { maxBytes: 2_000_000 },
  ).then(
    () => Promise.reject(new Error('was not refused')),
    (error: ServiceError) => [error.reason],
  );

/** Returns the bytes of a workbook with one sheet. */
const createWorkbook = (rowsXml: string) =>
  zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rowsXml}</sheetData></worksheet>`),
  });
const rowXmlOf = (count: number, cellXmlOf: (address: string) => string) =>
  `<row r="1">${Array.from({ length: count }, (_, index) => cellXmlOf(`${String.fromCharCode(65 + index)}1`)).join('')}</row>`;

/** Returns the reasons why the file reader refuses files, one for each kind of bad file. */
export async function loadFileReasons(): Promise<Reason[]> {
  return (
    await Promise.all([
      reasonsFor(' \n'),
      reasonsFor(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])),
      reasonsFor('%PDF-1.4'),
      reasonsFor(new Uint8Array([0xff, 0xfe, 0x41])),
      reasonsFor('<html></html>'),
      reasonsFor('a,\0'),
      reasonsFor(new Uint8Array([0x61, 0x0a, 0xff, 0x0a])),
      reasonsFor('a,b\n1,"2'),
      reasonsFor('"",""\n'),
      reasonsFor(zipSync({ 'a.txt': strToU8('a') })),
      reasonsFor(new Uint8Array([0x50, 0x4b, 1, 2])),
      reasonsFor(createWorkbook('')),
      reasonsFor(
        createWorkbook('<row r="1048576"><c r="A1048576"><v>1</v></c><c r="XFD1"><v>1</v></c></row>'),
      ),
      reasonsFor(createWorkbook(rowXmlOf(7, (address) => `<c r="${address}" t="e"><v>#REF!</v></c>`))),
      reasonsFor(createWorkbook(rowXmlOf(2, (address) => `<c r="${address}" t="e"><v>#REF!</v></c>`))),
      reasonsFor(createWorkbook(rowXmlOf(7, (address) => `<c r="${address}"><f>1+1</f></c>`))),
      reasonsFor(createWorkbook(rowXmlOf(1, (address) => `<c r="${address}"><f>1+1</f></c>`))),
      reasonsFor(createWorkbook('<row r="1"><c r="A1" t="s"><v>9</v></c>')),
    ])
  ).flat();
}
