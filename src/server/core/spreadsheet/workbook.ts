import { isServiceError } from '../errors/errors';
import { createReason } from '../errors/reason';
import { type Archive, openArchive, refusedFileError } from './archive';
import { isDateTimeFormat } from './cells';
import { NOT_A_WORKBOOK, readSheetRows, type SheetContext, type SheetRows } from './sheet';
import { TextRuns, UNREADABLE } from './text-runs';
import { readXml, type XmlHandlers } from './xml';

export type { SpreadsheetCell } from './cells';

type Attributes = Readonly<Record<string, string>>;

/** Returns the value of an attribute such as `r:id`, whatever its namespace prefix. */
function findAttribute(attributes: Attributes, name: string): string | undefined {
  for (const [key, value] of Object.entries(attributes))
    if (key === name || key.endsWith(`:${name}`)) return value;
  return undefined;
}

/** Visits the elements of a part with their attributes. A missing part has no elements. */
async function visitElements(
  archive: Archive,
  part: string,
  visit: (name: string, attributes: Attributes, parent: string) => void,
): Promise<void> {
  if (!archive.has(part)) return;
  const path: string[] = [];
  await readXml(archive.chunks(part), {
    open(name, attributes) {
      visit(name, attributes, path.at(-1) ?? '');
      path.push(name);
    },
    close: () => path.pop(),
    text: () => undefined,
  });
}

interface Relationship {
  /** The last segment of the type, such as `worksheet` or `styles`. */
  type: string;
  part: string;
}

/** Returns the relationships of a part, or of the package if the name is empty, by id (ECMA-376 part 2, 6.5). */
async function readRelationships(archive: Archive, part: string): Promise<Map<string, Relationship>> {
  const nameStart = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, nameStart);
  const relationships = new Map<string, Relationship>();
  await visitElements(archive, `${folder}_rels/${part.slice(nameStart)}.rels`, (name, attributes) => {
    const { Id: id, Target: target = '', Type: type = '' } = attributes;
    if (name !== 'Relationship' || id === undefined) return;
    const path = target.startsWith('/') ? target.slice(1) : folder + target;
    relationships.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part: path });
  });
  return relationships;
}

const DEFAULT_PART_PATHS = {
  workbook: 'xl/workbook.xml',
  strings: 'xl/sharedStrings.xml',
  styles: 'xl/styles.xml',
};

function partOf(relationships: Map<string, Relationship>, type: string, defaultPart: string): string {
  return [...relationships.values()].find((relationship) => relationship.type === type)?.part ?? defaultPart;
}

/** Collects the strings that cells share. */
class SharedStrings implements XmlHandlers {
  readonly strings: string[] = [];
  readonly #runs = new TextRuns();

  open(name: string): void {
    this.#runs.open(name);
  }

  close(name: string): void {
    if (name === 'si') this.strings.push(this.#runs.takeText());
    else this.#runs.close(name);
  }

  text(text: string): void {
    this.#runs.add(text);
  }
}

/** Returns, for each style, whether it shows numbers as dates. */
async function readDateStyles(archive: Archive, part: string): Promise<boolean[]> {
  const codeById = new Map<number, string>();
  const formatIds: number[] = [];
  await visitElements(archive, part, (name, attributes, parent) => {
    if (name === 'numFmt' && parent === 'numFmts')
      codeById.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    else if (name === 'xf' && parent === 'cellXfs') formatIds.push(Number(attributes.numFmtId ?? 0));
  });
  const isDateById = new Map<number, boolean>();
  return formatIds.map((id) => {
    const isDate = isDateById.get(id) ?? isDateTimeFormat(id, codeById.get(id));
    isDateById.set(id, isDate);
    return isDate;
  });
}

async function readFirstSheet(archive: Archive): Promise<SheetRows> {
  const packageRelationships = await readRelationships(archive, '');
  const workbookPart = [
    partOf(packageRelationships, 'officeDocument', DEFAULT_PART_PATHS.workbook),
    DEFAULT_PART_PATHS.workbook,
  ].find(archive.has);
  if (workbookPart === undefined) throw refusedFileError(NOT_A_WORKBOOK);
  const workbookRelationships = await readRelationships(archive, workbookPart);
  const sheetParts: string[] = [];
  let dateSystem: SheetContext['dateSystem'] = 1900;
  await visitElements(archive, workbookPart, (name, attributes, parent) => {
    if (name === 'sheet' && parent === 'sheets') {
      const part = workbookRelationships.get(findAttribute(attributes, 'id') ?? '')?.part ?? '';
      // Other kinds of sheets, such as charts, are not tables.
      if (part.includes('worksheets/') && archive.has(part)) sheetParts.push(part);
    } else if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? '')) dateSystem = 1904;
  });
  const sharedStrings = new SharedStrings();
  const stringsPart = partOf(workbookRelationships, 'sharedStrings', DEFAULT_PART_PATHS.strings);
  if (archive.has(stringsPart)) await readXml(archive.chunks(stringsPart), sharedStrings);
  const isDateByStyle = await readDateStyles(
    archive,
    partOf(workbookRelationships, 'styles', DEFAULT_PART_PATHS.styles),
  );
  const context = { strings: sharedStrings.strings, isDateByStyle, dateSystem };
  for (const sheetPart of new Set(sheetParts)) {
    const sheetRows = await readSheetRows(archive, sheetPart, context);
    if (sheetRows !== null) return sheetRows;
  }
  throw refusedFileError(createReason('file.noSheet'));
}

/**
 * Reads the non-blank rows of the first non-empty sheet of an .xlsx workbook. Formulas are read as their stored values, dates as
 * text with the month first, as the import expects them.
 * Time and memory are bounded: at most 256 MiB are unpacked, and the sheet may span at most 40 million cells.
 *
 * @throws ServiceError `validation_failed`, worded to follow the file's name
 */
export async function readWorkbook(bytes: Uint8Array): Promise<SheetRows> {
  const archive = await openArchive(bytes);
  try {
    return await readFirstSheet(archive);
  } catch (error) {
    throw isServiceError(error) ? error : refusedFileError(UNREADABLE, error);
  }
}
