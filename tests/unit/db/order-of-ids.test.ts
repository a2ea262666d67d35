import { expect, it } from 'vitest';
import { readStatements } from '../../support/database/statements';

/** Returns the part of a statement before each `ORDER BY` that is at the same level of parentheses, and the terms of the `ORDER BY`. */
function* orderedPartsOf(statement: string): Generator<{ columns: string; terms: string[] }> {
  const text = statement.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");
  for (const match of text.matchAll(/\bORDER BY\b/g)) {
    const columns = textOfLevel(Array.from(text.slice(0, match.index)).reverse(), ')', '(').reverse();
    const rest = textOfLevel(Array.from(text.slice(match.index + match[0].length)), '(', ')');
    const [terms] = rest.join('').split(/\b(?:LIMIT|OFFSET|FOR|ON CONFLICT|RETURNING|UNION)\b|;/);
    yield { columns: columns.join(''), terms: terms!.split(',').map((term) => term.trim()) };
  }
}

/** Returns the characters up to the end of the enclosing parentheses, without those in further parentheses. */
function textOfLevel(characters: readonly string[], opening: string, closing: string): string[] {
  const kept: string[] = [];
  let depth = 0;
  for (const character of characters) {
    if (character === opening) depth++;
    else if (character === closing && --depth < 0) break;
    else if (depth === 0) kept.push(character);
  }
  return kept;
}

/** Returns the terms by which a statement is ordered that mean a column of the result converted to text, not the stored column. */
const textTermsOf = (statement: string): string[] =>
  [...orderedPartsOf(statement)].flatMap(({ columns, terms }) => {
    const textColumns = new Set([...columns.matchAll(/::text AS "?(\w+)[!?]?/g)].map(([, name]) => name!));
    return terms.filter((term) => textColumns.has(term.split(/\s/)[0]!));
  });

it('no statement is ordered by an id that it returns as text: 10 would come before 9', async () => {
  expect(textTermsOf('SELECT id::text AS "id!" FROM a ORDER BY id DESC LIMIT 1')).toEqual(['id DESC']);
  expect(textTermsOf('SELECT x FROM (SELECT id::text AS id FROM a WHERE b IN (1) ORDER BY c, id) d')).toEqual(
    ['id'],
  );
  expect(textTermsOf('SELECT id::text AS "id!" FROM a ORDER BY a.id')).toEqual([]);
  expect(textTermsOf('INSERT INTO a SELECT id FROM b ORDER BY id RETURNING id::text AS "id!"')).toEqual([]);
  expect(textTermsOf('SELECT id::text AS "id!" FROM (SELECT id FROM b ORDER BY id) c')).toEqual([]);

  const terms = (await readStatements()).flatMap(([name, text]) =>
    textTermsOf(text).map((term) => `${name}: ${term}`),
  );
  expect(terms, 'Write the table before the column').toEqual([]);
});
