import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainTextMap, toPlainText } from '../../../../src/server/core/text/plain-text';

/** Returns what the first occurrence of `part` in the plain text is in the text as written. */
function writtenPart(text: string, part: string): string {
  const start = toPlainText(text).indexOf(part);
  return text.slice(...createPlainTextMap(text)(start, start + part.length));
}

describe('plain text', () => {
  it.each([
    ['12,50\u00a0€', '12,50 €'],
    ['1\u202f234', '1 234'],
    ['ＷｈａｔｓＡｐｐ：', 'WhatsApp:'],
    ['$5\u200b0\ufeff', '$50'],
    ['٣٤', '34'],
    ['Ma\u200b\u0308rz', 'März'],
  ])('of %j is %j', (text, plainText) => {
    expect(toPlainText(text)).toBe(plainText);
  });

  it('has the place of each part in the text as written, without invisible characters around it', () => {
    expect(writtenPart('Pay \u200b$5\u200b0\u200b now', '$50')).toBe('$5\u200b0');
    expect(writtenPart('Wait… ２０元！', '20元')).toBe('２０元');
    expect(writtenPart('am 3. Ma\u200b\u0308rz 2026', '3. März 2026')).toBe('3. Ma\u200b\u0308rz 2026');
    expect(writtenPart('😀 ① $5', '$5')).toBe('$5');
  });

  it('is the plain text of what is between its ends, whatever the text is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.string({ unit: fc.constantFrom('a', '1', '\u0301', '\u200b', '\ufe0f', 'ﷺ', '１', '…', '😀') }),
    );
    fc.assert(
      fc.property(text, (text) => {
        const plainText = toPlainText(text);
        fc.pre(plainText !== '');
        const [start, end] = createPlainTextMap(text)(0, plainText.length);
        expect(toPlainText(text.slice(start, end))).toBe(plainText);
        expect(toPlainText(text.slice(0, start) + text.slice(end))).toBe('');
      }),
      { numRuns: 1_000 },
    );
  });
});
