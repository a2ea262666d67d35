import { isUtf8 } from 'node:buffer';
import { ServiceError } from './errors';
import { because, type Reason } from './reason';

/** What a file of text may be encoded in, by the labels of the Encoding Standard. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The encodings as people know them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
};

/** What a decoder puts where it cannot read on. */
const REPLACEMENT = '\ufffd';

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Whether bytes that are not UTF-8 are likely Chinese. Any Latin text can be read as GB18030 too, its "ül" as a rare character; so
 * half of what takes two bytes or more must be punctuation or one of the 3,755 common characters (GB 2312, rows 1, 3 and 16 to 55),
 * of which Chinese text has far more.
 */
function looksChinese(bytes: Uint8Array): boolean {
  let common = 0;
  let wide = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x81) continue;
    const trail = bytes[at + 1] ?? 0;
    wide++;
    if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3)) common++;
    // A second byte that is a digit begins a character of four.
    at += trail >= 0x30 && trail <= 0x39 ? 3 : 1;
  }
  return common > 0 && common * 2 >= wide;
}

/** The line, counted from 1, of the first character that could not be read. */
function lineOf(text: string): number {
  let line = 1;
  const end = text.indexOf(REPLACEMENT);
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++;
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
 * Finds out how a text file is encoded, and reads it: by its mark (UTF-8, UTF-16), else as UTF-8, else as GB18030, which a Chinese
 * Excel writes.
 *
 * Guarantee: the text is exactly what the file says; it holds no replacement character.
 *
 * @returns the text in UTF-8, without a mark
 * @throws ServiceError `validation_failed` in words that follow the file's name: where the file fits none of them, is no text, or
 * holds replacement characters from an earlier loss
 */
export function decodeFile(file: Uint8Array): { bytes: Uint8Array; encoding: Encoding } {
  const [marked, mark = []] = MARKS.find(([, start]) => start.every((byte, at) => file[at] === byte)) ?? [];
  const body = file.subarray(mark.length);
  if ((marked ?? 'utf-8') === 'utf-8' && isUtf8(body)) return { bytes: checked(body), encoding: 'utf-8' };
  const encoding = marked ?? 'gb18030';
  const isLikely = marked !== undefined || looksChinese(body);
  const text = isLikely ? decode(body, encoding) : null;
  if (text === null) {
    if (!marked && body.includes(0)) throw refuse(because('file.noSpreadsheet'));
    const line = lineOf(new TextDecoder(marked ?? 'utf-8').decode(body));
    throw refuse(because('file.encoding', { line }));
  }
  return { bytes: checked(new TextEncoder().encode(text)), encoding };
}

/** UTF-8 that a spreadsheet may hold. */
function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0)) throw refuse(because('file.noSpreadsheet'));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(REPLACEMENT)) {
    const line = lineOf(buffer.toString('utf8'));
    throw refuse(because('file.lost', { line }));
  }
  return bytes;
}
