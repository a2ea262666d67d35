import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors/errors';
import { createReason, type Reason } from '../errors/reason';
import type { Encoding } from './encodings';

/** The character that stands for bytes that could not be decoded. */
const REPLACEMENT_CHARACTER = '\ufffd';

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Returns whether bytes that are not UTF-8 are likely Chinese. Most Latin text also decodes as GB18030, where "ül" becomes a
 * rare character. So at least half of the multi-byte characters must be punctuation or among the 3,755 common characters
 * (GB 2312, rows 1, 3 and 16 to 55); real Chinese text has far more of them.
 */
function looksChinese(bytes: Uint8Array): boolean {
  let common = 0;
  let multiByte = 0;
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index]!;
    if (lead < 0x81) continue;
    const trail = bytes[index + 1] ?? 0;
    multiByte++;
    if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3)) common++;
    // A second byte that is a digit means a four-byte character.
    index += trail >= 0x30 && trail <= 0x39 ? 3 : 1;
  }
  return common > 0 && common * 2 >= multiByte;
}

/** Returns the line, counted from 1, of the first character that could not be decoded. */
function lineOf(text: string): number {
  let line = 1;
  const end = text.indexOf(REPLACEMENT_CHARACTER);
  for (let index = text.indexOf('\n'); index !== -1 && index < end; index = text.indexOf('\n', index + 1))
    line++;
  return line;
}

function refuse(reason: Reason): ServiceError {
  return new ServiceError('validation_failed', reason);
}

function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Detects the encoding of a text file and decodes it: by its byte order mark (UTF-8, UTF-16), otherwise as UTF-8, otherwise as
 * GB18030, which Chinese versions of Excel write.
 * Guarantees: no character is lost, and the text contains no replacement character.
 *
 * @returns the text in UTF-8, without a byte order mark
 * @throws ServiceError `validation_failed`, worded to follow the file's name, if no encoding fits, the file is not text, or it
 * already contains replacement characters
 */
export function decodeFile(file: Uint8Array): { bytes: Uint8Array; encoding: Encoding } {
  const [marked, mark = []] =
    BYTE_ORDER_MARKS.find(([, start]) => start.every((byte, index) => file[index] === byte)) ?? [];
  const body = file.subarray(mark.length);
  if ((marked ?? 'utf-8') === 'utf-8' && isUtf8(body)) return { bytes: requireText(body), encoding: 'utf-8' };
  const encoding = marked ?? 'gb18030';
  const isLikely = marked !== undefined || looksChinese(body);
  const text = isLikely ? decode(body, encoding) : null;
  if (text === null) {
    if (!marked && body.includes(0)) throw refuse(createReason('file.noSpreadsheet'));
    const line = lineOf(new TextDecoder(marked ?? 'utf-8').decode(body));
    throw refuse(createReason('file.encoding', { line }));
  }
  return { bytes: requireText(new TextEncoder().encode(text)), encoding };
}

/** Returns the text if it has no NUL and no replacement character; throws otherwise. */
function requireText(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0)) throw refuse(createReason('file.noSpreadsheet'));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(REPLACEMENT_CHARACTER)) {
    const line = lineOf(buffer.toString('utf8'));
    throw refuse(createReason('file.lost', { line }));
  }
  return bytes;
}
