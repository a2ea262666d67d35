import { z } from 'zod';
import { appRouter } from '../../src/server/api/router';
import { orderImportMembers } from '../../src/server/orders/import/schema';
import { pathsOf, replaceAt, type Schema } from './schema-values';

interface DeclaredProcedure {
  _def: { inputs?: z.ZodType[] };
}

/**
 * The input schemas of all procedures, each with the procedure's path. The import has a second schema, added by hand: its request
 * is checked against this schema before its rows are read.
 */
export const INPUT_SCHEMAS = Object.entries(
  appRouter._def.procedures as never as Record<string, DeclaredProcedure>,
)
  .flatMap(([path, { _def }]) => (_def.inputs ?? []).map((schema): [string, z.ZodType] => [path, schema]))
  .concat([['orders.import before its rows are read', orderImportMembers]]);

/** Returns a value that matches a schema, except for patterns and formats, and has all of its members. */
function sampleOf(schema: Schema): unknown {
  const { type, properties = {}, anyOf, minItems = 1, minLength = 1 } = schema;
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.examples?.length) return schema.examples[0];
  if (anyOf) return sampleOf(anyOf[0]!);
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sampleOf(member)]));
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(schema.items ?? {}));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'string') return 'a'.repeat(minLength);
  return type === 'boolean' ? true : null;
}

/** Values put at every position of an input. At almost every position, most have the wrong type or are out of bounds. */
const WRONG_VALUES = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '\u0000',
  'x'.repeat(5_000),
  [],
  ['x'],
  {},
  { x: 1 },
];

/** Returns mostly invalid inputs: a sample with each of `WRONG_VALUES` at every position, and one with an unknown member. */
export function createInvalidInputs(schema: z.ZodType): unknown[] {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const sample = sampleOf(jsonSchema as Schema);
  const mutatedSamples = pathsOf(sample).flatMap((path) =>
    WRONG_VALUES.map((value) => replaceAt(sample, path, value)),
  );
  return [...WRONG_VALUES, { ...(sample as object), no_such_field: 1 }, ...mutatedSamples];
}
