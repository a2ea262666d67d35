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
  let commonCount = 0;
  let multiByteCount = 0;
  for (let index = 0; index < bytes.length; index++) {
    const leadByte = bytes[index]!;
    if (leadByte < 0x81) continue;
    const trailByte = bytes[index + 1] ?? 0;
    multiByteCount++;
    if (
      trailByte >= 0xa1 &&
      ((leadByte >= 0xb0 && leadByte <= 0xd7) || leadByte === 0xa1 || leadByte === 0xa3)
    )
      commonCount++;
    // A second byte that is a digit means a four-byte character.
    index += trailByte >= 0x30 && trailByte <= 0x39 ? 3 : 1;
  }
  return commonCount > 0 && commonCount * 2 >= multiByteCount;
}

/** Returns the line, counted from 1, of the first character that could not be decoded. */
function errorLineOf(text: string): number {
  let line = 1;
  const errorIndex = text.indexOf(REPLACEMENT_CHARACTER);
  for (
    let index = text.indexOf('\n');
    index !== -1 && index < errorIndex;
    index = text.indexOf('\n', index + 1)
  )
    line++;
  return line;
}

function refusedFileError(reason: Reason): ServiceError {
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
 * Decodes a text file: in the encoding of its byte order mark (UTF-8, UTF-16), otherwise as UTF-8 if it is valid, otherwise as
 * GB18030, which Chinese versions of Excel write.
 * Guarantees: no character is lost, and the text contains no replacement character.
 *
 * @returns the text in UTF-8, without a byte order mark
 * @throws ServiceError `validation_failed`, worded to follow the file's name, if no encoding fits, the file is not text, or it
 * already contains replacement characters
 */
export function decodeFile(file: Uint8Array): { bytes: Uint8Array; encoding: Encoding } {
  const [bomEncoding, bom = []] =
    BYTE_ORDER_MARKS.find(([, start]) => start.every((byte, index) => file[index] === byte)) ?? [];
  const body = file.subarray(bom.length);
  if ((bomEncoding ?? 'utf-8') === 'utf-8' && isUtf8(body))
    return { bytes: requireText(body), encoding: 'utf-8' };
  const encoding = bomEncoding ?? 'gb18030';
  const isLikely = bomEncoding !== undefined || looksChinese(body);
  const text = isLikely ? decode(body, encoding) : null;
  if (text === null) {
    if (!bomEncoding && body.includes(0)) throw refusedFileError(createReason('file.noSpreadsheet'));
    const line = errorLineOf(new TextDecoder(bomEncoding ?? 'utf-8').decode(body));
    throw refusedFileError(createReason('file.encoding', { line }));
  }
  return { bytes: requireText(new TextEncoder().encode(text)), encoding };
}

/** Returns the text if it has no NUL and no replacement character; throws otherwise. */
function requireText(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0)) throw refusedFileError(createReason('file.noSpreadsheet'));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(REPLACEMENT_CHARACTER)) {
    const line = errorLineOf(buffer.toString('utf8'));
    throw refusedFileError(createReason('file.lost', { line }));
  }
  return bytes;
}
