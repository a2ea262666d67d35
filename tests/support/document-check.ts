import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Schema } from './schema-values';
import type { TestResponse } from './service/test-service';

interface Parameter {
  name: string;
  in: 'query' | 'header';
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  path: string;
  method: string;
  /** The query parameters. */
  parameters: Parameter[];
  body: Schema | undefined;
  responses: Record<string, { headers?: Record<string, unknown>; content?: Content }>;
}

interface OpenApiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: Parameter[];
        requestBody?: { content: Content };
        responses: Operation['responses'];
      }
    >
  >;
}

/** Checks requests and responses against an OpenAPI document. */
export interface DocumentCheck {
  operations: Operation[];
  resolve(ref: string): Schema;
  /** Returns how a value violates the schema at this path in the document; null if it conforms. */
  findProblem(schemaPath: string[], value: unknown): string | null;
  /** Returns how a response deviates from the document; null if it conforms. */
  findResponseProblem(operation: Operation, response: TestResponse): string | null;
  /** Returns every example with the path of its schema. */
  listExamples(): { schemaPath: string[]; example: unknown }[];
}

/** The response headers that the document must list, because clients use them. */
const DOCUMENTED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

const pointerTo = (schemaPath: string[]) =>
  schemaPath
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      operationId,
      path,
      method,
      parameters: parameters.filter((parameter) => parameter.in === 'query'),
      body: requestBody?.content['application/json']?.schema,
      responses,
    })),
  );
}

/** Creates the checks for a document (JSON Schema draft 2020-12, formats included). */
export function createDocumentCheck(document: OpenApiDocument): DocumentCheck {
  // The document's own members are not JSON Schema keywords, so strict mode is off.
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();
  const findProblem: DocumentCheck['findProblem'] = (schemaPath, value) => {
    const pointer = pointerTo(schemaPath);
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    validators.set(pointer, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  return {
    operations: operationsOf(document),
    resolve: (ref) =>
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document) as Schema,
    findProblem,
    findResponseProblem({ path, method, responses }, { status, headers, text, json }) {
      const response = responses[status];
      if (!response) return `status ${status} is not documented`;
      if (!headers.get('x-request-id')) return 'X-Request-Id is missing';
      const undocumentedHeaders = DOCUMENTED_HEADERS.filter(
        (name) => headers.has(name) && !response.headers?.[name],
      );
      if (undocumentedHeaders.length > 0)
        return `${undocumentedHeaders.join(', ')} of ${status} is not documented`;
      if (!response.content) return text === '' ? null : 'a body that is not documented';
      const [contentType = ''] = (headers.get('content-type') ?? '').split(';');
      if (!response.content[contentType])
        return `content type ${contentType} is not documented for ${status}`;
      if (contentType !== 'application/json') return null;
      const schemaPath = [
        'paths',
        path,
        method,
        'responses',
        String(status),
        'content',
        contentType,
        'schema',
      ];
      const bodyProblem = findProblem(schemaPath, json);
      if (bodyProblem) return `the body of ${status}: ${bodyProblem}`;
      if (status >= 400 && json.request_id !== headers.get('x-request-id'))
        return 'request_id differs from X-Request-Id';
      return null;
    },
    listExamples() {
      const allExamples: { schemaPath: string[]; example: unknown }[] = [];
      const visit = (node: unknown, schemaPath: string[]): void => {
        if (typeof node !== 'object' || node === null) return;
        const { examples, example } = node as { examples?: unknown; example?: unknown };
        if (Array.isArray(examples))
          allExamples.push(...examples.map((value) => ({ schemaPath, example: value })));
        if (example !== undefined) allExamples.push({ schemaPath, example });
        for (const [name, member] of Object.entries(node))
          if (name !== 'examples' && name !== 'example') visit(member, [...schemaPath, name]);
      };
      visit(document, []);
      return allExamples;
    },
  };
}
