/** A JSON object with one long list, whose elements are parsed chunk by chunk to save memory. */
export interface JsonWithList {
  /** The object, with its list left empty. */
  members: unknown;
  /** How many elements the list has. */
  count: number;
  /**
   * Parses the elements in turn.
   *
   * @throws SyntaxError if they are not valid JSON; TypeError if they are not UTF-8
   */
  elements(): Generator<unknown>;
}

/**
 * About how many bytes are parsed at a time. Strings above about 128 kB get memory of their own, which takes several times as
 * long as parsing them.
 */
const CHUNK_BYTES = 16 * 1024;
/** The maximum size of what comes before the list, and of what comes after it, in bytes. */
const MAX_SURROUNDING_BYTES = 4 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;

/** Skips a byte order mark, which only the beginning of the text may have. */
const startDecoder = new TextDecoder('utf-8', { fatal: true });
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The list's text from the first byte after `[` to its `]`, cut into chunks at commas between elements. */
interface SplitList {
  chunks: { from: number; to: number; count: number }[];
  end: number;
}

/** Cuts the list whose first byte after `[` is at `start`. Returns null if the list is not closed. */
function splitIntoChunks(json: Uint8Array, start: number, chunkBytes: number): SplitList | null {
  const chunks: SplitList['chunks'] = [];
  let depth = 1;
  let isInString = false;
  let from = start;
  let count = 1;
  for (let index = start; index < json.length; index++) {
    const byte = json[index]!;
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) {
      if (depth !== 1) continue;
      if (index - from >= chunkBytes) {
        chunks.push({ from, to: index, count });
        from = index + 1;
        count = 0;
      }
      count++;
    }
    // `[` and `{` differ in one bit only, and so do `]` and `}`.
    else if ((byte | 0x20) === 0x7b) depth++;
    else if ((byte | 0x20) === 0x7d && --depth === 0) {
      if (byte !== CLOSING_BRACKET) return null;
      chunks.push({ from, to: index, count });
      return { chunks, end: index };
    }
  }
  return null;
}

/** Returns whether the text before or after the list has no list, object or escape, and does not repeat the name of the list. */
const isPlain = (text: string, key: string) => !/[[\]{}\\]/.test(text) && !text.includes(key);

/**
 * Finds the list `name` of a JSON object. For valid JSON, its elements are those that JSON.parse would return.
 *
 * @returns null if the list does not begin in the first 4 KiB or never ends, if more than 4 KiB follow it, or if the text around
 * it contains lists, objects or escapes, or repeats the name; the caller then has to parse the whole text
 * @throws SyntaxError if the text around the list is not valid JSON; TypeError if it is not UTF-8
 */
export function findList(json: Uint8Array, name: string, chunkBytes = CHUNK_BYTES): JsonWithList | null {
  const key = JSON.stringify(name);
  const keyStart = Buffer.from(
    json.buffer,
    json.byteOffset,
    Math.min(json.length, MAX_SURROUNDING_BYTES),
  ).indexOf(key);
  if (keyStart === -1) return null;
  const openingMatch = /^[ \t\r\n]*:[ \t\r\n]*\[/.exec(
    latin1Text(json, keyStart + key.length, keyStart + key.length + 100),
  );
  if (!openingMatch) return null;
  const listStart = keyStart + key.length + openingMatch[0].length;
  const list = splitIntoChunks(json, listStart, chunkBytes);
  if (!list || json.length - list.end > MAX_SURROUNDING_BYTES) return null;
  const head = startDecoder.decode(json.subarray(0, keyStart));
  const tail = decoder.decode(json.subarray(list.end + 1));
  const braceIndex = head.indexOf('{');
  const lastBraceIndex = tail.lastIndexOf('}');
  if (braceIndex === -1 || lastBraceIndex === -1) return null;
  if (!isPlain(head.slice(braceIndex + 1), key) || !isPlain(tail.slice(0, lastBraceIndex), key)) return null;
  const members: unknown = JSON.parse(`${head}${key}:[]${tail}`);
  const [firstChunk] = list.chunks;
  if (list.chunks.length === 1 && latin1Text(json, firstChunk!.from, firstChunk!.to).trim() === '')
    firstChunk!.count = 0;
  return {
    members,
    count: list.chunks.reduce((sum, chunk) => sum + chunk.count, 0),
    *elements() {
      for (const { from, to, count } of list.chunks) {
        const elements = JSON.parse(`[${decoder.decode(json.subarray(from, to))}]`) as unknown[];
        // JSON.parse reports a missing element, unless the gap is a chunk of its own: a blank chunk parses as an empty list.
        if (elements.length !== count) throw new SyntaxError('An element is missing.');
        yield* elements;
      }
    },
  };
}

function latin1Text(json: Uint8Array, from: number, to: number): string {
  return Buffer.from(json.buffer, json.byteOffset, json.length).toString('latin1', from, to);
}

/** Joins JSON lists in UTF-8 into one. None of them may be empty. */
export function joinLists(lists: readonly Uint8Array[]): Uint8Array {
  if (lists.length === 1) return lists[0]!;
  const innerParts = lists.flatMap((list, index) => [
    Buffer.from(index === 0 ? '' : ','),
    list.subarray(1, -1),
  ]);
  return Buffer.concat([Buffer.from('['), ...innerParts, Buffer.from(']')]);
}
