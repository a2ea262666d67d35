import { z } from 'zod';

/**
 * A schema that documents an input and leaves reading it to the procedure: for bodies that are read in a worker thread.
 * Everything that describes the operation (OpenAPI, the tool list, the types) sees the schema; at run time the input
 * passes as it came, and the procedure must check all of it.
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

const BYTES = Symbol('bytes');

/** A body that was not parsed. Only code of this process can make one: the symbol cannot come in JSON. */
export interface BodyBytes {
  [BYTES]: Uint8Array;
}

export function bodyBytes(bytes: Uint8Array): BodyBytes {
  return { [BYTES]: bytes };
}

/** The bytes of an input that was handed over unparsed, or null for one that was parsed. */
export function bytesOf(input: unknown): Uint8Array | null {
  return typeof input === 'object' && input !== null && BYTES in input ? (input as BodyBytes)[BYTES] : null;
}
