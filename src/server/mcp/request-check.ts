import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { validationError } from '../core/errors/errors';
import { problemAt } from '../core/errors/reason';
import { reasonOf } from '../core/errors/validation';

const SCHEMA_BY_METHOD = new Map(
  [InitializeRequestSchema, ListToolsRequestSchema, CallToolRequestSchema].map((schema) => [
    schema.shape.method.value as string,
    schema,
  ]),
);

/** A request whose parameters are not valid. */
interface InvalidRequest {
  id: string | number;
  /** What is wrong with them, such as `params.name: is required`. */
  message: string;
}

/**
 * Checks the parameters of a request with the SDK's schemas. The SDK itself would respond with an internal error and the text of
 * zod's exception. Null if they are valid, or if the message is none of the requests that we handle.
 */
export function findInvalidRequest(message: unknown): InvalidRequest | null {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const schema = SCHEMA_BY_METHOD.get(String(method));
  if (!schema || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const { error } = schema.safeParse(message);
  if (!error) return null;
  const problems = error.issues.map((issue) => problemAt(issue.path.join('.'), reasonOf(issue)));
  return { id, message: validationError(problems).message };
}
