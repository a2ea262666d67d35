import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ServiceError } from '../errors/errors';
import { createReason, type Reason } from '../errors/reason';

/** The maximum unpacked size of all parts of a workbook together: some two million cells, more than 50,000 rows of an export. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** A workbook of a hundred sheets has some three hundred entries. */
const MAX_ENTRIES = 10_000;
/** The fixed part of a local entry header, before the name and the extra field (APPNOTE.TXT 4.3.7). */
const LOCAL_HEADER_BYTES = 30;
/** Where that header has the lengths of the name and the extra field. */
const NAME_LENGTH_OFFSET = 26;
const EXTRA_FIELD_LENGTH_OFFSET = 28;

const DAMAGED = createReason('file.damaged');

/** Creates the error for a refused file; its reason is worded to follow the file's name. */
export function refusedFileError(reason: Reason, cause?: unknown): ServiceError {
  return new ServiceError('validation_failed', reason, { cause });
}

/** Creates the error for a file that would unpack to more than the limit. */
export function unpackedSizeError(limit: string): ServiceError {
  return refusedFileError(createReason('file.unpacked', { limit }));
}

/** The parts of a ZIP archive, unpacked in chunks as they are read. */
export interface Archive {
  has(name: string): boolean;
  /**
   * @throws ServiceError `validation_failed` if the part is damaged or larger than it claims, or if the archive has unpacked to more
   * than 256 MiB in all
   */
  chunks(name: string): AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Returns where an entry's data ends. Reads the local header, whose name and extra field may differ in length from those in the
 * central directory.
 *
 * @throws RangeError if the header is outside the file
 */
function endOffsetOf(buffer: Buffer, { relativeOffsetOfLocalHeader: offset, compressedSize }: Entry): number {
  const nameLength = buffer.readUInt16LE(offset + NAME_LENGTH_OFFSET);
  const extraFieldLength = buffer.readUInt16LE(offset + EXTRA_FIELD_LENGTH_OFFSET);
  return offset + LOCAL_HEADER_BYTES + nameLength + extraFieldLength + compressedSize;
}

/** Returns whether entries share bytes of the file: a few kilobytes that many entries share could unpack to gigabytes. */
function entriesOverlap(buffer: Buffer, entries: readonly Entry[]): boolean {
  const sortedEntries = [...entries].sort(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let endOffset = 0;
  for (const entry of sortedEntries) {
    if (entry.relativeOffsetOfLocalHeader < endOffset) return true;
    endOffset = endOffsetOf(buffer, entry);
  }
  return false;
}

async function readEntries(zip: ZipFile, buffer: Buffer): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw refusedFileError(DAMAGED);
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  for await (const entry of zip.eachEntry()) {
    declaredBytes += entry.uncompressedSize;
    if (declaredBytes > MAX_UNPACKED_BYTES)
      throw unpackedSizeError(`${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`);
    if (entries.has(entry.fileName)) throw refusedFileError(DAMAGED);
    entries.set(entry.fileName, entry);
  }
  if (entriesOverlap(buffer, [...entries.values()])) throw refusedFileError(DAMAGED);
  return entries;
}

/**
 * Opens a ZIP archive for reading.
 * Guarantees: the declared sizes of its entries add up to at most 256 MiB; no entry unpacks to more than it declares; at most
 * 256 MiB are unpacked in all, repeated reads included; no two entries share bytes.
 *
 * @throws ServiceError `validation_failed`, worded to follow the file's name
 */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  let zip: ZipFile;
  let entries: Map<string, Entry>;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
    entries = await readEntries(zip, buffer);
  } catch (error) {
    throw error instanceof ServiceError ? error : refusedFileError(DAMAGED, error);
  }
  let unpackedBytes = 0;
  async function* chunks(name: string) {
    let stream: Readable | undefined;
    try {
      stream = await zip.openReadStreamPromise(entries.get(name)!);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        unpackedBytes += chunk.length;
        if (unpackedBytes > MAX_UNPACKED_BYTES)
          throw unpackedSizeError(`${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof ServiceError ? error : refusedFileError(DAMAGED, error);
    } finally {
      stream?.destroy();
    }
  }
  return { has: (name) => entries.has(name), chunks };
}
