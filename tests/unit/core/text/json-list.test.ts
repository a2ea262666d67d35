import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep } from '../../../../src/server/core/text/json-depth';
import { findList, joinLists } from '../../../../src/server/core/text/json-list';

const bytes = (text: string) => new TextEncoder().encode(text);
const PIECES = [1, 7, 1_000];

/** Reads the list `rows` in pieces; returns undefined if the text is refused or cannot be read in pieces. */
function read(text: string, pieceBytes: number): { members: unknown; elements: unknown[] } | undefined {
  try {
    const list = findList(bytes(text), 'rows', pieceBytes);
    if (!list) return undefined;
    const elements = [...list.elements()];
    expect(elements).toHaveLength(list.count);
    return { members: list.members, elements };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return undefined;
  }
}

const blanks = fc.constantFrom('', ' ', '\n\t');
const plain = fc.record({ account_id: fc.integer(), excel_format: fc.boolean() });

describe('a list that is parsed in pieces', () => {
  it('has the elements that JSON.parse returns, wherever it is cut', () => {
    const body = fc.tuple(fc.array(fc.jsonValue()), plain, fc.boolean(), blanks);
    fc.assert(
      fc.property(body, fc.constantFrom(...PIECES), ([rows, others, first, blank], size) => {
        const members = first ? { rows, ...others } : { ...others, rows };
        const text = JSON.stringify(members, null, blank);
        expect(read(text, size)).toEqual({
          members: { ...others, rows: [] },
          elements: JSON.parse(JSON.stringify(rows)),
        });
      }),
    );
  });

  it('knows how deeply the object is nested', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(...PIECES), (rows, size) => {
        const body = bytes(JSON.stringify({ rows, account_id: 1 }));
        const { depth } = findList(body, 'rows', size)!;
        expect([isTooDeep(body, depth - 1), isTooDeep(body, depth)]).toEqual([true, false]);
      }),
    );
  });

  it('is refused or left to JSON.parse if one character too many or too few makes the JSON invalid', () => {
    const text = '{"account_id":1,"rows":[{"a":"x,]"},[1,2],"\\"",null],"more":"b"}';
    const edit = fc.tuple(
      fc.nat(text.length),
      fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ' ', '1'),
    );
    fc.assert(
      fc.property(edit, fc.nat(1), fc.constantFrom(...PIECES), ([at, put], cut, size) => {
        const changed = text.slice(0, at) + put + text.slice(at + cut);
        const found = read(changed, size);
        if (!found) return;
        const { rows, ...others } = JSON.parse(changed);
        expect(found).toEqual({ members: { ...others, rows: [] }, elements: rows });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a comma after the last element', '{"rows":[1,2,]}'],
    ['nothing between two commas', '{"rows":[1,,2]}'],
    ['a list that is not closed', '{"rows":[1,2'],
    ['a list closed by a brace', '{"rows":[1,2}}'],
    ['a byte order mark before an element', '{"rows":[1,\uFEFF2]}'],
    ['a second list of the name', '{"rows":[1],"rows":[2]}'],
    ['a second list whose name is escaped', '{"rows":[1],"row\\u0073":[2]}'],
    ['a list within another member', '{"x":{"rows":[1]},"rows":[2]}'],
    ['a value that is not a list', '{"rows":{"0":1}}'],
    ['a text that is not an object', '["rows",[1]]'],
  ])('is not read from %s', (_what, text) => {
    for (const size of PIECES) expect(read(text, size)).toBeUndefined();
  });
});

it('joined lists contain the elements of all, in order', () => {
  const list = fc.array(fc.jsonValue(), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(list), (lists) => {
      const joined = joinLists(lists.map((list) => bytes(JSON.stringify(list))));
      expect(JSON.parse(new TextDecoder().decode(joined))).toEqual(JSON.parse(JSON.stringify(lists.flat())));
    }),
  );
});
