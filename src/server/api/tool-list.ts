import { z } from 'zod';
import { type Operation, readOperations } from './operations';
import type { AppRouter } from './router';

interface ToolListOptions {
  version: string;
  appUrl: string;
  adminPrefix: string;
  /** The maximum number of rows of an import. A deployment may allow more or fewer than the schema's default. */
  importMaxRows: number;
}

/** Returns zod's JSON Schema, except for fields that are documented differently, such as a number in a query. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...generated } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: target }) {
      const metadata = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as
        | { override?: object }
        | undefined;
      if (!metadata?.override) return;
      for (const name of ['type', 'pattern', 'minLength', 'maxLength'] as const) delete target[name];
      Object.assign(target, metadata.override);
      delete (target as { override?: object }).override;
    },
  });
  const { $ref, $defs = {}, ...root } = generated as { $ref?: string; $defs?: Record<string, object> };
  if (!$ref) return generated;
  // A named schema is generated as a reference to itself; tools need the object at the root.
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  const { [name]: referencedSchema, ...otherDefs } = $defs;
  return { ...root, ...referencedSchema, ...(Object.keys(otherDefs).length > 0 ? { $defs: otherDefs } : {}) };
}

/** An operation as a tool (docs/api-conventions.md). */
export interface Tool {
  name: string;
  description: string;
  method: Operation['method'];
  path: string;
  auth: Operation['credential'];
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

interface ToolList {
  server: Record<'name' | 'version' | 'base_url' | 'erp_admin_url' | 'docs_url', string>;
  erp_admin_url: string;
  docs_url: string;
  tools: Tool[];
}

/** The credential that a call needs; clients of MCP see only the description. */
const CREDENTIAL_SENTENCES: Record<Operation['credential'], string> = {
  key: 'Needs the header X-Api-Key.',
  bearer: 'Needs the header Authorization: Bearer ACCESS_TOKEN.',
};

const NO_PARAMETERS = { type: 'object', properties: {} };

function inputSchemaOf(
  { input, bodyLimit }: Operation,
  { importMaxRows }: ToolListOptions,
): Record<string, unknown> {
  if (!input) return NO_PARAMETERS;
  const schema = toJsonSchema(input, 'input');
  if (bodyLimit === 'import') {
    const { rows } = schema.properties as { rows: { maxItems: number } };
    rows.maxItems = importMaxRows;
  }
  return schema;
}

/**
 * Generates the machine-readable tool list (docs/api-conventions.md): one tool per operation, named by its `operationId`. URLs
 * start with the configured application URL.
 */
export function createToolList(router: AppRouter, options: ToolListOptions): ToolList {
  const base_url = options.appUrl;
  const erp_admin_url = base_url + options.adminPrefix;
  const docs_url = `${base_url}/docs/api`;
  const tools = readOperations(router).map((operation) => ({
    name: operation.operationId,
    description: `${operation.summary}. ${operation.description} ${CREDENTIAL_SENTENCES[operation.credential]}`,
    method: operation.method,
    path: operation.path,
    auth: operation.credential,
    inputSchema: inputSchemaOf(operation, options),
    outputSchema: toJsonSchema(operation.output, 'output'),
  }));
  return {
    server: { name: 'brickdesk', version: options.version, base_url, erp_admin_url, docs_url },
    erp_admin_url,
    docs_url,
    tools,
  };
}
