import { describe, expect, it } from 'vitest';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { decodeFile } from '../../../../src/server/core/text/encoding';

/** A CSV file whose only row contains a Chinese name. */
const CHINESE_TEXT = 'category,code,name\nhead,HD-1,红色积木\n';

/** CHINESE_TEXT as a Chinese Excel saves it. */
const GB18030_BYTES = Buffer.concat([
  Buffer.from('category,code,name\nhead,HD-1,'),
  Buffer.from([0xba, 0xec, 0xc9, 0xab, 0xbb, 0xfd, 0xc4, 0xbe]),
  Buffer.from('\n'),
]);
const encodeUtf16BigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

const decode = (bytes: Uint8Array) => {
  const { bytes: utf8, encoding } = decodeFile(bytes);
  return [encoding, new TextDecoder().decode(utf8)];
};
const outcomeOf = (bytes: Uint8Array) => {
  try {
    return decode(bytes);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a file is read in its encoding', () => {
  it.each([
    ['utf-8', Buffer.from(CHINESE_TEXT)],
    ['utf-8', Buffer.from(`\ufeff${CHINESE_TEXT}`)],
    ['utf-16le', Buffer.from(`\ufeff${CHINESE_TEXT}`, 'utf16le')],
    ['utf-16be', encodeUtf16BigEndian(`\ufeff${CHINESE_TEXT}`)],
    ['gb18030', GB18030_BYTES],
  ])('%s: case %#', async (encoding, bytes) => {
    expect(decode(bytes)).toEqual([encoding, CHINESE_TEXT]);
    const sheet = await readSpreadsheet({ name: 'a.csv', bytes }, { maxBytes: 1_000 });
    expect([sheet.encoding, sheet.rows[1]]).toEqual([encoding, ['head', 'HD-1', '红色积木']]);
  });

  it('even with rare and four-byte characters of GB18030', () => {
    // 𠀀 (U+20000) is 95 32 82 36; 喆 is 86 B4.
    const bytes = Buffer.from([0xba, 0xec, 0xc9, 0xab, 0x95, 0x32, 0x82, 0x36, 0x86, 0xb4]);
    expect(decode(bytes)).toEqual(['gb18030', '红色𠀀喆']);
  });
});

describe('a file in no supported encoding is refused with the line number, and never read with replacement characters', () => {
  it.each([
    ['Latin text from an old Windows', Buffer.from('a,b\nMüller,Français\n', 'latin1'), 2],
    ['Latin text whose pairs are characters of GB18030', Buffer.from('a\nb\nül äb ön éa\n', 'latin1'), 3],
    ['half a character', Buffer.concat([GB18030_BYTES.subarray(0, -2), Buffer.from('\n')]), 2],
    ['UTF-16 with half a surrogate pair', Buffer.from([0xff, 0xfe, 0x41, 0, 0, 0xd8, 0x42, 0]), 1],
  ])('%s', (_, bytes, line) => {
    expect(outcomeOf(bytes)).toBe(
      `is not encoded in UTF-8, UTF-16 or GB18030 (first seen on line ${line}). Open it in the program that made it and save it as CSV UTF-8.`,
    );
  });

  it('as is a file whose characters were damaged before', () => {
    expect(outcomeOf(Buffer.from('a,b\n1,\ufffd\ufffd\n'))).toBe(
      'has damaged characters, the first on line 2. Export it again, or correct them.',
    );
  });
});

describe('a file of another kind', () => {
  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])],
    ['UTF-16 without its mark', Buffer.from('a,b', 'utf16le')],
  ])('%s is refused because it is not a spreadsheet', (_, bytes) => {
    expect(outcomeOf(bytes)).toContain('is not a spreadsheet');
  });
});
