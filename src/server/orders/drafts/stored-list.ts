import type { PageInput } from '../../core/fields';
import { decodeCursor, encodeCursor } from '../../core/lists/cursor';

/** How many entries a chunk of a stored list has; the last one may have fewer. */
export const CHUNK_SIZE = 50;

/**
 * A list of a preview. It is stored as JSON, because strings take up a fraction of the memory of objects, and in chunks, because
 * users read a few of the many entries that a preview can have.
 */
export interface StoredList {
  chunks: readonly string[];
  /** The number of entries in all chunks. */
  total: number;
}

export function storeList(entries: readonly unknown[]): StoredList {
  const chunks: string[] = [];
  for (let start = 0; start < entries.length; start += CHUNK_SIZE)
    chunks.push(JSON.stringify(entries.slice(start, start + CHUNK_SIZE)));
  return { chunks, total: entries.length };
}

/** Returns all entries; the caller knows their type. */
export const readStoredList = <Entry>({ chunks }: StoredList): Entry[] =>
  chunks.flatMap((chunk) => JSON.parse(chunk) as Entry[]);

/** A stored list does not change, so the position of an entry serves as the cursor. */
const CURSOR_NAME = 'preview';

/**
 * Returns a page of a stored list.
 *
 * @throws ServiceError `validation_failed` if `cursor` is not `next` of a page of a preview
 */
export function readStoredPage(
  { chunks, total }: StoredList,
  { cursor, limit }: PageInput,
): { entries: unknown[]; next: string | null } {
  const start = cursor === undefined ? 0 : Number(decodeCursor(cursor, CURSOR_NAME, [/^\d{1,9}$/])[0]);
  const end = start + limit;
  const firstChunk = Math.floor(start / CHUNK_SIZE);
  const startInChunk = start - firstChunk * CHUNK_SIZE;
  const readChunks = { chunks: chunks.slice(firstChunk, Math.ceil(end / CHUNK_SIZE)), total };
  const entries = readStoredList(readChunks).slice(startInChunk, startInChunk + limit);
  return { entries, next: end < total ? encodeCursor(CURSOR_NAME, [String(end)]) : null };
}
