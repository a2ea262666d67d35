import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';

const SIZE_LIMIT = { maxBytes: 64 * 1024 * 1024 };
const MIB = 1024 * 1024;

const PARTS = {
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
};
const SHEET_PATH = 'xl/worksheets/sheet1.xml';

/** Returns a workbook whose only sheet is this XML, with additional or replaced parts. */
function createWorkbook(sheetXml: string, otherParts: Record<string, string> = {}): Uint8Array {
  const parts = { ...PARTS, [SHEET_PATH]: sheetXml, ...otherParts };
  return buildArchive(Object.entries(parts).map(([name, text]) => ({ name, data: Buffer.from(text) })));
}
const sheetWith = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const readWorkbook = (bytes: Uint8Array) => readSpreadsheet({ name: 'a.xlsx', bytes }, SIZE_LIMIT);
const readOutcome = (bytes: Uint8Array) =>
  readWorkbook(bytes).then(
    () => 'read',
    (error: Error) => error.message,
  );
const ROW = '<row r="1"><c r="A1"><v>1</v></c></row>';

describe('a workbook with hostile XML', () => {
  const repetitionCount = 200_000;
  it.each([
    ['unclosed cells', `<worksheet><sheetData>${'<c '.repeat(repetitionCount)}`],
    ['unclosed cells with attributes', `<worksheet><sheetData>${'<c r="A1" '.repeat(repetitionCount)}`],
    ['cells inside cells', sheetWith(`<row r="1">${'<c r="A1">'.repeat(repetitionCount)}`)],
    ['formulas that never end', sheetWith(`<row r="1">${'<c r="A1"><f'.repeat(repetitionCount)}`)],
    ['a tag that never ends', `<worksheet ${' '.repeat(4 * MIB)}`],
    ['a comment that never ends', `<worksheet><!-- ${'- '.repeat(MIB)}`],
    ['a CDATA section that never ends', `<worksheet><![CDATA[${'] '.repeat(MIB)}`],
    ['brackets that begin nothing', `<worksheet>${'<'.repeat(repetitionCount)}`],
    ['a root element that is not closed', sheetWith(ROW).replace('</worksheet>', '')],
    [
      'elements nested deeply',
      `<worksheet>${'<a>'.repeat(repetitionCount)}${'</a>'.repeat(repetitionCount)}</worksheet>`,
    ],
    ['a number that no computer can represent', sheetWith('<row r="1"><c r="A1"><v>1e400</v></c></row>')],
    ['an unknown entity', sheetWith('<row r="1"><c r="A1" t="str"><v>&boom;</v></c></row>')],
    [
      'entities that stand for entities',
      `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${sheetWith('<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>')}`,
    ],
    ['an external document type', `<!DOCTYPE w SYSTEM "file:///etc/passwd">${sheetWith(ROW)}`],
    ['the beginning of an archive instead of XML', 'PK\u0003\u0004'],
  ])('is refused if it contains %s', async (_, sheet) => {
    expect(await readOutcome(createWorkbook(sheet))).toContain('cannot be read as a workbook');
  });

  it.each([
    ['huge attributes', sheetWith(`<row r="1"><c r="A1" x="${'x'.repeat(4 * MIB)}"><v>1</v></c></row>`)],
    [
      'thousands of attributes',
      sheetWith(
        `<row r="1"><c ${Array.from({ length: 50_000 }, (_, index) => `a${index}="1"`).join(' ')} r="A1"><v>1</v></c></row>`,
      ),
    ],
    ['entities that XML predefines', sheetWith(`${ROW}<x>${'&amp;&#65;'.repeat(repetitionCount)}</x>`)],
    ['many unknown elements', sheetWith(`${ROW}${'<z:a b="1"/>'.repeat(repetitionCount)}`)],
  ])('is read even if it contains %s', async (_, sheet) => {
    expect((await readWorkbook(createWorkbook(sheet))).rows).toEqual([[1]]);
  });

  it('is refused if thousands of cells share one long text, before they fill the memory', async () => {
    const sharedStrings = `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`;
    const cells = Array.from(
      { length: 5_000 },
      (_, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="s"><v>0</v></c></row>`,
    );
    const bytes = createWorkbook(sheetWith(cells.join('')), { 'xl/sharedStrings.xml': sharedStrings });
    expect(await readOutcome(bytes)).toContain('unpacks to more than 64 MiB of text');
  });

  it('is refused if rows or cells are at impossible positions', async () => {
    for (const row of [
      '<row r="1"><c r="A2"><v>1</v></c></row>',
      '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>',
      '<row r="2"/><row r="2"/>',
      '<row r="0"/>',
      '<row r="1.5"/>',
      '<row r="9999999"/>',
      '<c r="A1"><v>1</v></c>',
    ])
      expect(await readOutcome(createWorkbook(sheetWith(row)))).toContain('is not an Excel workbook');
  });
});

interface ZipEntry {
  name: string;
  data: Uint8Array;
  /** How often the part contains the data; by default once. */
  repetitions?: number;
  /** The unpacked size that its header and the directory claim, if not the real one. */
  declaredBytes?: number;
  /** Where the directory claims that its header is, if not where it really is. */
  offset?: number;
  /** An extra field that only its header has. */
  extraField?: Buffer;
  /** The length of the extra field that its header claims, if not the real one. */
  declaredExtraBytes?: number;
}

/** Compresses data that is repeated many times, without spending time on the repetitions. */
function compress(data: Uint8Array, repetitions: number): Buffer {
  // After a full flush, what follows begins at a byte and refers to nothing before it.
  const compressedData = deflateRawSync(data, { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array<Buffer>(repetitions).fill(compressedData), deflateRawSync('')]);
}

/** Builds an archive by hand, so that its headers and directory can lie (APPNOTE.TXT 4.3). */
function buildArchive(entries: readonly ZipEntry[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const { name, data, repetitions = 1, offset = position } = entry;
    const { declaredBytes = data.byteLength * repetitions } = entry;
    const { extraField = Buffer.alloc(0), declaredExtraBytes = extraField.length } = entry;
    const compressedData = compress(data, repetitions);
    const localHeader = Buffer.alloc(30);
    localHeader.writeUInt32LE(0x04034b50, 0);
    localHeader.writeUInt16LE(20, 4);
    localHeader.writeUInt16LE(8, 8);
    localHeader.writeUInt32LE(compressedData.length, 18);
    localHeader.writeUInt32LE(declaredBytes, 22);
    localHeader.writeUInt16LE(name.length, 26);
    localHeader.writeUInt16LE(declaredExtraBytes, 28);
    const directoryHeader = Buffer.alloc(46);
    directoryHeader.writeUInt32LE(0x02014b50, 0);
    directoryHeader.writeUInt16LE(20, 6);
    directoryHeader.writeUInt16LE(8, 10);
    directoryHeader.writeUInt32LE(compressedData.length, 20);
    directoryHeader.writeUInt32LE(declaredBytes, 24);
    directoryHeader.writeUInt16LE(name.length, 28);
    directoryHeader.writeUInt32LE(offset, 42);
    files.push(localHeader, Buffer.from(name), extraField, compressedData);
    directory.push(directoryHeader, Buffer.from(name));
    position += 30 + name.length + extraField.length + compressedData.length;
  }
  const endRecord = Buffer.alloc(22);
  endRecord.writeUInt32LE(0x06054b50, 0);
  endRecord.writeUInt16LE(entries.length, 8);
  endRecord.writeUInt16LE(entries.length, 10);
  endRecord.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  endRecord.writeUInt32LE(position, 16);
  return Buffer.concat([...files, ...directory, endRecord]);
}

describe('an archive that lies about its contents is refused', () => {
  const completeEntries = [...Object.entries(PARTS), [SHEET_PATH, sheetWith(ROW)] as const].map(
    ([name, text]) => ({
      name,
      data: Buffer.from(text),
    }),
  );
  const bigData = { data: Buffer.alloc(MIB, ' '), repetitions: 300 };

  it('unlike an archive that tells the truth, which is read', async () => {
    expect((await readWorkbook(buildArchive(completeEntries))).rows).toEqual([[1]]);
    const entriesWithExtraField = completeEntries.map((entry) => ({ ...entry, extraField: Buffer.alloc(8) }));
    expect((await readWorkbook(buildArchive(entriesWithExtraField))).rows).toEqual([[1]]);
  });

  it('if a part unpacks to more than it declares, or to less', async () => {
    for (const declaredBytes of [10, 100_000]) {
      const entriesWithWrongSize = completeEntries.map((entry) =>
        entry.name === SHEET_PATH ? { ...entry, declaredBytes } : entry,
      );
      expect(await readOutcome(buildArchive(entriesWithWrongSize))).toContain('is damaged or incomplete');
    }
  });

  it('if one part alone or all parts together declare more than a workbook may unpack to', async () => {
    const bigPart = { name: 'xl/other.xml', data: Buffer.from('a'), declaredBytes: 257 * MIB };
    expect(await readOutcome(buildArchive([...completeEntries, bigPart]))).toContain(
      'unpacks to more than 256 MiB',
    );
    const parts = ['a', 'b', 'c'].map((name) => ({ name, data: Buffer.from('a'), declaredBytes: 100 * MIB }));
    expect(await readOutcome(buildArchive([...completeEntries, ...parts]))).toContain(
      'unpacks to more than 256 MiB',
    );
  });

  it('without being unpacked, if a part declares 100 bytes but contains hundreds of megabytes', async () => {
    const bufferBytesBefore = process.memoryUsage().arrayBuffers;
    const entriesWithWrongSize = completeEntries.map((entry) =>
      entry.name === SHEET_PATH ? { ...entry, ...bigData, declaredBytes: 100 } : entry,
    );
    expect(await readOutcome(buildArchive(entriesWithWrongSize))).toContain('is damaged or incomplete');
    expect(process.memoryUsage().arrayBuffers - bufferBytesBefore).toBeLessThan(64 * MIB);
  });

  it('unless nobody reads the part that contains hundreds of megabytes, which is not unpacked', async () => {
    const bigPart = { name: 'xl/other.xml', ...bigData };
    const honestArchive = buildArchive([...completeEntries, bigPart]);
    expect(honestArchive.byteLength).toBeLessThan(2 * MIB);
    expect(await readOutcome(honestArchive)).toContain('unpacks to more than 256 MiB');
    const bufferBytesBefore = process.memoryUsage().arrayBuffers;
    const lyingArchive = buildArchive([...completeEntries, { ...bigPart, declaredBytes: 100 }]);
    expect((await readWorkbook(lyingArchive)).rows).toEqual([[1]]);
    expect(process.memoryUsage().arrayBuffers - bufferBytesBefore).toBeLessThan(64 * MIB);
  });

  it('if two parts share bytes or a name', async () => {
    const entriesWithSharedBytes = [
      ...completeEntries,
      { name: 'xl/twin.xml', data: Buffer.from('a'), offset: 0 },
    ];
    expect(await readOutcome(buildArchive(entriesWithSharedBytes))).toContain('is damaged or incomplete');
    const entryWithSharedEnd = { name: 'xl/other.xml', data: Buffer.from('a'), declaredExtraBytes: 1 };
    expect(await readOutcome(buildArchive([entryWithSharedEnd, ...completeEntries]))).toContain(
      'is damaged or incomplete',
    );
    expect(await readOutcome(buildArchive([...completeEntries, completeEntries[2]!]))).toContain(
      'is damaged or incomplete',
    );
  });
});
