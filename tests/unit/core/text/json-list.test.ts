import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findList, joinLists } from '../../../../src/server/core/text/json-list';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const CHUNK_SIZES = [1, 7, 1_000];

/** Reads the list `rows` in chunks; returns undefined if the text is refused or cannot be read in chunks. */
function readInChunks(
  text: string,
  chunkBytes: number,
): { members: unknown; elements: unknown[] } | undefined {
  try {
    const list = findList(bytesOf(text), 'rows', chunkBytes);
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

describe('a list that is parsed in chunks', () => {
  it('has the elements that JSON.parse returns, wherever it is cut', () => {
    const body = fc.tuple(fc.array(fc.jsonValue()), otherMembers, fc.boolean(), indentations);
    fc.assert(
      fc.property(
        body,
        fc.constantFrom(...CHUNK_SIZES),
        ([rows, extraMembers, isFirst, indentation], chunkBytes) => {
          const members = isFirst ? { rows, ...extraMembers } : { ...extraMembers, rows };
          const text = JSON.stringify(members, null, indentation);
          expect(readInChunks(text, chunkBytes)).toEqual({
            members: { ...extraMembers, rows: [] },
            elements: JSON.parse(JSON.stringify(rows)),
          });
        },
      ),
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
        fc.constantFrom(...CHUNK_SIZES),
        ([index, insertedText], removedCount, chunkBytes) => {
          const changedText = text.slice(0, index) + insertedText + text.slice(index + removedCount);
          const list = readInChunks(changedText, chunkBytes);
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
    for (const chunkBytes of CHUNK_SIZES) expect(readInChunks(text, chunkBytes)).toBeUndefined();
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
