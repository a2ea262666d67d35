import { z } from 'zod';

/**
 * A schema that documents an input but leaves parsing to the procedure: for bodies that are read in a worker thread. Everything
 * that describes the operation (OpenAPI, the tool list, the types) uses the schema; at run time the input passes through
 * unchanged, and the procedure must check all of it.
 */
export function documentedInput<Schema extends z.ZodType>(schema: Schema): Schema {
  const passing = async (input: unknown) => input;
  const documented: Schema = Object.create(schema, {
    parseAsync: { value: passing },
    parse: { value: passing },
  });
  const { id: _, ...described } = schema.meta() ?? {};
  z.globalRegistry.add(documented, described);
  return documented;
}
