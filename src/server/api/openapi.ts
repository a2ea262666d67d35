import { generateOpenApiDocument } from 'trpc-openapi';
import type { ErrorStatus } from '../core/errors/error-codes';
import { errorSchema } from '../core/errors/error-schema';
import { requestHeaders, responseHeaders } from './openapi-headers';
import { type Operation, readOperations } from './operations';
import type { AppRouter } from './router';

interface DocumentOptions {
  version: string;
  appUrl: string;
  limits: { maxBodyBytes: number; importMaxBodyBytes: number; importMaxRows: number };
}

const TAG_DESCRIPTIONS = {
  Orders: 'Order import, all or nothing.',
  Tracking: 'Tracking: callbacks from carriers, queries to carriers, and texts for buyers.',
  Statistics: 'Daily statistics of shops and their listings, as the marketplace counts them.',
  'Product codes': "Codes of the catalog's products, by category.",
  'Buyer messages': 'Replies to buyers, written by a model and checked against the database.',
  Users: 'The signed-in user.',
  Debugging: 'Stores requests for debugging.',
};

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const ERROR_DESCRIPTIONS: Partial<Record<ErrorStatus, string>> = {
  401: 'The credential is missing, invalid, expired or revoked',
  403: 'The scopes or the address ranges of the key do not allow this call',
  404: 'No order or shipment has this id or number',
  408: 'The body did not arrive in time',
  413: 'The body is larger than the limit',
  415: 'The body is not application/json in UTF-8',
  422: 'The input is not valid; `errors` lists the problems',
  429: 'Too many requests this minute, either from this key or from this address without a valid credential; see Retry-After',
  500: 'The service failed; its log has the details under the `request_id`',
  502: 'The other service could not be reached, refused the request or sent no usable response; `source` names it',
  503: 'The database cannot be reached',
  504: 'The other service did not respond in time; `source` names it',
};

const TOKEN_FORBIDDEN_DESCRIPTION =
  'The token does not have the scope user:read, or does not belong to a user';
const TOKENS_USED_UP_DESCRIPTION =
  'Too many requests this minute, either from this key or from this address without a valid credential, or the key has used up its tokens for today; see Retry-After';
const IMPORT_FAILED_DESCRIPTION =
  'The import failed and nothing is stored: `message` is "导入失败", `error` the public cause';

function errorStatuses(operation: Operation): ErrorStatus[] {
  const isPost = operation.method === 'POST';
  return Object.keys(ERROR_DESCRIPTIONS)
    .map((status) => Number(status) as ErrorStatus)
    .filter((status) => {
      if (status === 404) return operation.returnsNotFound;
      if (status === 408 || status === 413) return isPost || operation.body === 'bytes';
      if (status === 415) return isPost;
      if (status === 422) return isPost || (operation.input !== undefined && operation.body === 'json');
      if (status === 502 || status === 504) return operation.callsUpstream;
      return true;
    });
}

function describeUnavailability({ callsUpstream, acceptsIdempotencyKey }: Operation): string {
  const causes = [
    ERROR_DESCRIPTIONS[503]!,
    ...(callsUpstream ? ['the other service is paused'] : []),
    ...(acceptsIdempotencyKey ? ['a request with the same Idempotency-Key is still running'] : []),
  ];
  const description = `${new Intl.ListFormat('en', { type: 'disjunction' }).format(causes)}; see Retry-After`;
  return callsUpstream
    ? `${description}. Or the other service is not configured: then there is no Retry-After, and only the operator can help`
    : description;
}

function describeError(operation: Operation, status: ErrorStatus): string | undefined {
  if (status === 403 && operation.credential === 'bearer') return TOKEN_FORBIDDEN_DESCRIPTION;
  if (status === 429 && operation.usesTokenBudget) return TOKENS_USED_UP_DESCRIPTION;
  if (status === 500 && operation.bodyLimit === 'import') return IMPORT_FAILED_DESCRIPTION;
  if (status === 503) return describeUnavailability(operation);
  return ERROR_DESCRIPTIONS[status];
}

function errorResponses(operation: Operation): Record<string, unknown> {
  const responseEntries = errorStatuses(operation).map((status) => {
    const description = describeError(operation, status);
    return [
      status,
      { description, headers: responseHeaders(operation, String(status)), content: ERROR_CONTENT },
    ];
  });
  const notModifiedResponse = {
    description: 'The list still has the ETag in If-None-Match',
    headers: responseHeaders(operation, '304'),
  };
  return Object.fromEntries(
    operation.hasEtag ? [['304', notModifiedResponse], ...responseEntries] : responseEntries,
  );
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema?: object;
}

/** Moves the description of a query parameter from its schema to the parameter, where readers of the document show it. */
function describeParameter(parameter: Parameter): Parameter {
  const { description, ...schema } = (parameter.schema ?? {}) as { description?: string };
  return description === undefined ? parameter : { ...parameter, description, schema };
}

/** Stands for any query parameters, each under its own name. */
const ANY_PARAMETERS = {
  name: 'parameters',
  in: 'query',
  required: false,
  description: 'Any parameters, each under its own name',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** An operation as trpc-openapi writes it. */
interface DocumentedOperation {
  security?: unknown;
  parameters?: Parameter[];
  responses: Record<string, { headers?: object; content?: Record<string, object> }>;
  requestBody?: unknown;
}

/**
 * Generates the OpenAPI 3.1 document of all REST operations from the procedures, with full paths, every bound, both security
 * schemes, every error, and the configured limits.
 */
export function createOpenApiDocument(router: AppRouter, options: DocumentOptions): object {
  const document = generateOpenApiDocument(router, {
    title: 'Brickdesk API',
    description: `The HTTP API of the Brickdesk back office. Bodies are JSON in UTF-8, at most ${options.limits.maxBodyBytes} bytes (imports ${options.limits.importMaxBodyBytes}).`,
    version: options.version,
    baseUrl: options.appUrl,
    openApiVersion: '3.1.0',
    securitySchemes: {
      ApiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
        description: 'A key created in the back office or by `npm run -s cli -- api-key create`.',
      },
      OAuth2: {
        type: 'http',
        scheme: 'bearer',
        description: 'An OAuth 2.0 access token: Authorization: Bearer ACCESS_TOKEN.',
      },
    },
    defs: { Error: errorSchema },
    tags: Object.keys(TAG_DESCRIPTIONS),
  });
  document.tags = Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description }));
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  for (const operation of readOperations(router)) {
    const documentedOperation = paths[operation.path]![operation.method.toLowerCase()]!;
    documentedOperation.security = [{ [operation.credential === 'key' ? 'ApiKey' : 'OAuth2']: [] }];
    const successResponse = documentedOperation.responses['200']!;
    successResponse.headers = { ...successResponse.headers, ...responseHeaders(operation, '200') };
    documentedOperation.parameters = [
      ...(documentedOperation.parameters ?? []).map(describeParameter),
      ...(operation.method === 'GET' && operation.body === 'bytes' ? [ANY_PARAMETERS] : []),
      ...requestHeaders(operation),
    ];
    if (operation.offersPlainText)
      successResponse.content = { ...successResponse.content, 'text/plain': { schema: { type: 'string' } } };
    const bodySchema = (documentedOperation.requestBody as RequestBody | undefined)?.content[
      'application/json'
    ].schema;
    if (bodySchema && operation.examples) bodySchema.examples = operation.examples;
    // A deployment may allow more or fewer rows than the schema's default.
    if (operation.bodyLimit === 'import')
      Object.assign(bodySchema!.properties!.rows!, { maxItems: options.limits.importMaxRows });
    documentedOperation.responses = {
      200: successResponse,
      ...errorResponses(operation),
    } as DocumentedOperation['responses'];
  }
  // Remove trpc-openapi's own error bodies, which no operation returns.
  const schemas = document.components?.schemas ?? {};
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name];
  return document;
}

interface RequestBody {
  content: { 'application/json': { schema: { properties?: Record<string, object>; examples?: unknown[] } } };
}
