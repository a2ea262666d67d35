import { z } from 'zod';
import { appRouter } from '../../src/server/api/router';
import { orderImportMembers } from '../../src/server/orders/import/schema';
import { changedAt, placesOf, type Schema } from './from-schema';

interface DeclaredProcedure {
  _def: { inputs?: z.ZodType[] };
}

/** The inputs of all procedures. A worker parses the import's rows, so their schema is named here. */
export const INPUTS = Object.entries(appRouter._def.procedures as never as Record<string, DeclaredProcedure>)
  .flatMap(([name, { _def }]) => (_def.inputs ?? []).map((input): [string, z.ZodType] => [name, input]))
  .concat([['the import, before its rows are read', orderImportMembers]]);

/** A value of the shape that a schema describes, with all members. */
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

/** Put into every place of an input: almost everywhere, each is of the wrong type or out of bounds. */
const WRONG = [
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

/** Inputs with one error each, at every place of a sample of what the schema describes. */
export function brokenInputs(input: z.ZodType): unknown[] {
  const described = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const sample = sampleOf(described as Schema);
  const broken = placesOf(sample).flatMap((place) => WRONG.map((put) => changedAt(sample, place, put)));
  return [...WRONG, { ...(sample as object), no_such_field: 1 }, ...broken];
}
