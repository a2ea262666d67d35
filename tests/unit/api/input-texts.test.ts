import { expect, it } from 'vitest';
import { z } from 'zod';
import { INPUT_SCHEMAS } from '../../support/invalid-inputs';

/** Texts that PostgreSQL cannot store or compare with what it stores. */
const UNSTORABLE_TEXTS = ['a\u0000b', 'a\ud800b'];

/**
 * Matches members that code other than the schema reads before they reach the database: cursors, files, cells of an import,
 * callbacks, searches, redirect URIs, values that a form showed, and secrets, which reach the database only hashed or encrypted.
 */
const MEMBERS_READ_BY_CODE_PATTERN =
  /[.](?:cursor|csv|code|password|current_password|url)$|[.]shown[.]|^orders[.]import\b.*[.]rows|^tracking[.]callback[.]|[.]filter[.]text$|^orders[.]suggest[.]text$|[.]readFile[.]name$|[.]redirect_uris\[]$/;

/** Returns the parts of a schema, each with the step that leads to it in a path. */
function partsOf(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([name, part]) => [`.${name}`, part]);
    case 'array':
      return [['[]', def.element]];
    case 'record':
      return [['{}', def.valueType]];
    case 'union':
      return def.options.map((option) => ['', option]);
    case 'pipe':
      return [['', def.in]];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return [['', def.innerType]];
    default:
      return [];
  }
}

/** Returns the paths at which a schema accepts a text that cannot be stored. */
function findUnstorablePaths(schema: z.core.$ZodType, path: string): string[] {
  const acceptsUnstorable = UNSTORABLE_TEXTS.some((text) => z.safeParse(schema, text).success);
  if ((schema as z.core.$ZodTypes)._zod.def.type === 'string') return acceptsUnstorable ? [path] : [];
  const paths = partsOf(schema).flatMap(([step, part]) => findUnstorablePaths(part, path + step));
  // A schema that wraps another may refuse a text that the inner one accepts.
  return acceptsUnstorable ? paths : paths.filter((partPath) => partPath !== path);
}

it('no input schema accepts a string that PostgreSQL cannot store, unless other code reads the string first', () => {
  const foundPaths = INPUT_SCHEMAS.flatMap(([name, input]) => findUnstorablePaths(input, name));
  expect([...new Set(foundPaths)].filter((path) => !MEMBERS_READ_BY_CODE_PATTERN.test(path))).toEqual([]);
});
