import { z } from 'zod';

/**
 * Returns a schema that documents an input but leaves parsing to the procedure, for bodies that are stored as received or parsed
 * in a worker thread. OpenAPI, the tool list and the types use the schema; at run time the input passes through unchanged, and the
 * procedure must validate all of it.
 */
export function documentedInput<Schema extends z.ZodType>(schema: Schema): Schema {
  return replaceParser(schema, async (input) => input);
}

/** Returns a schema that documents an input like the given one, but parses it with a function of its own. */
export function replaceParser<Schema extends z.ZodType>(
  schema: Schema,
  parse: (input: unknown) => Promise<unknown>,
): Schema {
  const documentedSchema: Schema = Object.create(schema, {
    parseAsync: { value: parse },
    parse: { value: parse },
  });
  const { id: _, ...metadata } = schema.meta() ?? {};
  z.globalRegistry.add(documentedSchema, metadata);
  return documentedSchema;
}
