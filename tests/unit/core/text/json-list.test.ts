import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep } from '../../../../src/server/core/text/json-depth';
import { findList, joinLists } from '../../../../src/server/core/text/json-list';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const PIECE_SIZES = [1, 7, 1_000];

/** Reads the list `rows` in pieces; returns undefined if the text is refused or cannot be read in pieces. */
function readInPieces(
  text: string,
  pieceBytes: number,
): { members: unknown; elements: unknown[] } | undefined {
  try {
    const list = findList(bytesOf(text), 'rows', pieceBytes);
    if (!list) return undefined;
    const elements = [...list.elements()];
    expect(elements).toHaveLength(list.count);
    return { members: list.members, elements };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return undefined;
  }
}

const indentations = fc.constantFrom('', ' ', '\n\t');
const otherMembers = fc.record({ account_id: fc.integer(), excel_format: fc.boolean() });

describe('a list that is parsed in pieces', () => {
  it('has the elements that JSON.parse returns, wherever it is cut', () => {
    const body = fc.tuple(fc.array(fc.jsonValue()), otherMembers, fc.boolean(), indentations);
    fc.assert(
      fc.property(
        body,
        fc.constantFrom(...PIECE_SIZES),
        ([rows, extraMembers, isFirst, indentation], pieceBytes) => {
          const members = isFirst ? { rows, ...extraMembers } : { ...extraMembers, rows };
          const text = JSON.stringify(members, null, indentation);
          expect(readInPieces(text, pieceBytes)).toEqual({
            members: { ...extraMembers, rows: [] },
            elements: JSON.parse(JSON.stringify(rows)),
          });
        },
      ),
    );
  });

  it('reports how deeply the object that contains it is nested', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(...PIECE_SIZES), (rows, pieceBytes) => {
        const body = bytesOf(JSON.stringify({ rows, account_id: 1 }));
        const { depth } = findList(body, 'rows', pieceBytes)!;
        expect([isTooDeep(body, depth - 1), isTooDeep(body, depth)]).toEqual([true, false]);
      }),
    );
  });

  it('is read as JSON.parse reads it, or not at all, after any change of one character', () => {
    const text = '{"account_id":1,"rows":[{"a":"x,]"},[1,2],"\\"",null],"more":"b"}';
    const edit = fc.tuple(
      fc.nat(text.length),
      fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ' ', '1'),
    );
    fc.assert(
      fc.property(
        edit,
        fc.nat(1),
        fc.constantFrom(...PIECE_SIZES),
        ([index, insertedText], removedCount, pieceBytes) => {
          const changedText = text.slice(0, index) + insertedText + text.slice(index + removedCount);
          const list = readInPieces(changedText, pieceBytes);
          if (!list) return;
          const { rows, ...extraMembers } = JSON.parse(changedText);
          expect(list).toEqual({ members: { ...extraMembers, rows: [] }, elements: rows });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a comma after the last element', '{"rows":[1,2,]}'],
    ['nothing between two commas', '{"rows":[1,,2]}'],
    ['a list that is not closed', '{"rows":[1,2'],
    ['a list closed by a brace', '{"rows":[1,2}}'],
    ['a byte order mark before an element', '{"rows":[1,\uFEFF2]}'],
    ['a second list of the same name', '{"rows":[1],"rows":[2]}'],
    ['a second list whose name is escaped', '{"rows":[1],"row\\u0073":[2]}'],
    ['a list within another member', '{"x":{"rows":[1]},"rows":[2]}'],
    ['a value that is not a list', '{"rows":{"0":1}}'],
    ['a text that is not an object', '["rows",[1]]'],
  ])('is not read from %s', (_, text) => {
    for (const pieceBytes of PIECE_SIZES) expect(readInPieces(text, pieceBytes)).toBeUndefined();
  });
});

it('joined lists contain the elements of all lists, in order', () => {
  const list = fc.array(fc.jsonValue(), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(list), (lists) => {
      const joinedList = joinLists(lists.map((list) => bytesOf(JSON.stringify(list))));
      expect(JSON.parse(new TextDecoder().decode(joinedList))).toEqual(
        JSON.parse(JSON.stringify(lists.flat())),
      );
    }),
  );
});
