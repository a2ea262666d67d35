import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExceededLimit, MAX_JSON_DEPTH } from '../../../../src/server/core/text/json-limits';
import { watchReads } from '../../../support/watch-reads';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Returns the nesting depth of a parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const isTooDeep = (json: Uint8Array, depth = MAX_JSON_DEPTH) =>
  findExceededLimit(json, { depth }) === 'depth';

describe('the limit on nesting', () => {
  it('accepts 64 levels of arrays or objects, but not 65', () => {
    for (const [opening, closing] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const createNestedJson = (depth: number) =>
        bytesOf(`${opening.repeat(depth)}1${closing.repeat(depth)}`);
      expect(isTooDeep(createNestedJson(MAX_JSON_DEPTH))).toBe(false);
      expect(isTooDeep(createNestedJson(MAX_JSON_DEPTH + 1))).toBe(true);
    }
  });

  it('stops at the first bracket that opens too deep a level, however much follows', () => {
    const { watchedBytes, countReads } = watchReads(bytesOf('['.repeat(100_000)));
    expect(isTooDeep(watchedBytes)).toBe(true);
    expect(countReads()).toBe(MAX_JSON_DEPTH + 1);
  });

  it('ignores brackets within strings, whatever is escaped there', () => {
    for (const text of ['[[[', '\\"[[[', '"[[[', '\\', '\\\\', '中[文{', '\u2028[']) {
      const json = bytesOf(JSON.stringify({ [text]: [text, [text]] }));
      expect(isTooDeep(json, 3), text).toBe(false);
      expect(isTooDeep(json, 2), text).toBe(true);
    }
  });

  it('agrees with the parser on any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 0, max: 9 }), (json, limit) => {
        expect(isTooDeep(bytesOf(json), limit)).toBe(depthOf(JSON.parse(json)) > limit);
      }),
    );
  });
});

/** Returns the number of members of the largest object in a parsed value. */
function largestObjectOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const ownCount = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Math.max(ownCount, ...Object.values(value).map(largestObjectOf));
}

const hasLargeObject = (json: Uint8Array, members: number) =>
  findExceededLimit(json, { members }) === 'members';

describe('the limit on the members of an object', () => {
  it('agrees with the parser on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 4 }), (value, limit) => {
        expect(hasLargeObject(bytesOf(JSON.stringify(value)), limit)).toBe(largestObjectOf(value) > limit);
      }),
      { numRuns: 1_000 },
    );
  });

  it('stops at an unmatched closing bracket, because what follows is not JSON', () => {
    const { watchedBytes, countReads } = watchReads(bytesOf(`{}${']:'.repeat(100_000)}`));
    expect(hasLargeObject(watchedBytes, 1)).toBe(false);
    expect(countReads()).toBe(3);
  });

  it('ignores colons within strings', () => {
    expect(hasLargeObject(bytesOf('{"a:\\":":":::"}'), 1)).toBe(false);
  });
});

it('the limit that is exceeded first is reported', () => {
  const limits = { depth: 2, members: 1 };
  expect(findExceededLimit(bytesOf('{"a":1,"b":[[1]]}'), limits)).toBe('members');
  expect(findExceededLimit(bytesOf('{"a":[[1]],"b":1}'), limits)).toBe('depth');
  expect(findExceededLimit(bytesOf('{"a":[{"b":1},{"c":1}]}'), { ...limits, depth: 3 })).toBeNull();
});
