import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReason } from '../../../../src/server/core/errors/reason';
import {
  decodeEntities,
  displayText,
  truncate,
  unstorableReason,
} from '../../../../src/server/core/text/text';

const NUL = '\u0000';
const HIGH_SURROGATE = '\ud83d';
const LOW_SURROGATE = '\ude00';

describe('unstorableReason', () => {
  it('says why PostgreSQL cannot store U+0000 or half a surrogate pair', () => {
    expect(unstorableReason(`a${NUL}`)).toEqual(createReason('text.zero'));
    expect(unstorableReason(`a${HIGH_SURROGATE}`)).toEqual(createReason('text.surrogate'));
    expect(unstorableReason(LOW_SURROGATE + HIGH_SURROGATE)).toEqual(createReason('text.surrogate'));
  });

  it('accepts whole surrogate pairs, other control characters and noncharacters', () => {
    for (const text of ['', ' ', '\u0001\u007f', HIGH_SURROGATE + LOW_SURROGATE, '\uFFFD\uFFFE', 'שלום']) {
      expect(unstorableReason(text)).toBeNull();
    }
  });
});

describe('decodeEntities', () => {
  it.each([
    ['O&#39;Hara', "O'Hara"],
    ['O&#x27;Hara', "O'Hara"],
    ['a &amp; b', 'a & b'],
    ['&lt;b&gt; &quot;x&quot;', '<b> "x"'],
    ['caf&eacute;', 'café'],
    ['a&nbsp;b', 'a\u00a0b'],
    ['&#128512;', HIGH_SURROGATE + LOW_SURROGATE],
  ])('decodes %s to %s', (text, decodedText) => {
    expect(decodeEntities(text)).toBe(decodedText);
  });

  it('decodes a string only once', () => {
    expect(decodeEntities('&amp;amp;')).toBe('&amp;');
    expect(decodeEntities('&amp;#39;')).toBe('&#39;');
  });

  it.each(['?a=1&copy=2', 'AT&T', 'a & b', '&', '&;', '&unknown;', '&amp', '&#39'])(
    'leaves %s unchanged',
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );

  it('never produces text that PostgreSQL cannot store', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 0x120000 }), fc.constantFrom(0, 0xd800, 0xdfff)),
        (code) => {
          expect(unstorableReason(decodeEntities(`&#${code};&#x${code.toString(16)};`))).toBeNull();
        },
      ),
    );
  });
});

describe('truncate', () => {
  it('leaves a string of at most the given length unchanged', () => {
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('', 3)).toBe('');
  });

  it('cuts a longer string to that length, including an ellipsis', () => {
    expect(truncate('abcd', 3)).toBe('ab…');
  });

  it('never cuts inside a surrogate pair', () => {
    expect(truncate(`a${HIGH_SURROGATE}${LOW_SURROGATE}b`, 3)).toBe('a…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, max) => {
        const truncatedText = truncate(text, max);
        expect(truncatedText.isWellFormed()).toBe(true);
        expect(truncatedText.length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

it('displayText makes any text short and storable', () => {
  expect(displayText('Gift note')).toBe('Gift note');
  expect(displayText(`a${NUL}b${HIGH_SURROGATE}`)).toBe('a\uFFFDb\uFFFD');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(NUL, HIGH_SURROGATE, LOW_SURROGATE, 'x'.repeat(99)),
      (anyText, ending) => {
        const shownText = displayText(anyText + ending);
        expect(unstorableReason(shownText)).toBeNull();
        expect(shownText.length).toBeLessThanOrEqual(40);
      },
    ),
  );
});
