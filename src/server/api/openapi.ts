import { generateOpenApiDocument } from 'trpc-openapi';
import { errorSchema } from '../core/error-schema';
import { requestHeaders, responseHeaders } from './openapi-headers';
import type { AppRouter } from './router';
import { type Route, readRoutes } from './routes';

interface DocumentOptions {
  version: string;
  appUrl: string;
  limits: { maxBodyBytes: number; importMaxBodyBytes: number; importMaxRows: number };
}

const TAGS = {
  Orders: 'Orders come in by import, all or nothing.',
  Tracking: 'Where parcels are: told by the carriers, asked of them, and put in words.',
  Statistics: 'The days of shops and of their listings, as the marketplace counts them.',
  'Product codes': 'The codes of our own products, by category.',
  'Buyer messages': 'Replies to buyers, written and checked.',
  People: 'Who is signed in.',
  Debugging: 'Keeps what a caller sends, to look at it.',
};

const ERROR_REF = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const ERRORS: Record<string, string> = {
  401: 'The credential is missing, invalid, expired or revoked',
  403: 'The scopes or the address ranges of the key do not allow this call',
  404: 'Nothing is known of what was asked for',
  408: 'The body did not arrive in time',
  413: 'The body is larger than the limit',
  415: 'The body is not application/json in UTF-8',
  422: 'The input is not valid; `errors` names what',
  429: 'The key has used up its requests of this minute, or the address those without a valid credential; Retry-After says when to go on',
  500: 'The service failed; `request_id` finds the details in its log',
  502: 'The other service refused or gave no usable answer; `source` names it',
  503: 'The database cannot be reached, or the other service is not configured or rests; see Retry-After',
  504: 'The other service did not answer in time; `source` names it',
};

const TOKEN_FORBIDDEN = 'The token lacks the scope user:read, or stands for no person';
const IMPORT_FAILED =
  'The import failed and nothing is stored: `message` is "导入失败", `error` the public cause';

function errorStatuses(route: Route): string[] {
  const takesBody = route.method === 'POST';
  return Object.keys(ERRORS).filter((status) => {
    if (status === '404') return route.plainText;
    if (status === '408' || status === '413') return takesBody || route.body === 'bytes';
    if (status === '415') return takesBody;
    if (status === '422') return takesBody || (route.input !== undefined && route.body === 'json');
    if (status === '502' || status === '504') return route.upstream;
    return true;
  });
}

function describeError(route: Route, status: string): string | undefined {
  if (status === '403' && route.credential === 'bearer') return TOKEN_FORBIDDEN;
  if (status === '500' && route.bodyLimit === 'import') return IMPORT_FAILED;
  return ERRORS[status];
}

function errorResponses(route: Route): Record<string, unknown> {
  const responses = errorStatuses(route).map((status) => {
    const description = describeError(route, status);
    return [status, { description, headers: responseHeaders(route, status), content: ERROR_REF }];
  });
  const notModified = {
    description: 'If-None-Match holds the ETag of what is there',
    headers: responseHeaders(route, '304'),
  };
  return Object.fromEntries(route.etag ? [['304', notModified], ...responses] : responses);
}

interface Operation {
  security?: unknown;
  parameters?: object[];
  responses: Record<string, { headers?: object; content?: Record<string, object> }>;
  requestBody?: unknown;
}

/**
 * The OpenAPI 3.1 document of all REST operations, generated from the procedures: paths in full, every bound, both security
 * schemes, every error. The configured limits are filled in.
 */
export function openApiDocument(router: AppRouter, options: DocumentOptions): object {
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
        description: 'A key made in the back office or by `npm run -s cli -- api-key create`.',
      },
      OAuth2: {
        type: 'http',
        scheme: 'bearer',
        description: 'An OAuth 2.0 access token: Authorization: Bearer ACCESS_TOKEN.',
      },
    },
    defs: { Error: errorSchema },
    tags: Object.keys(TAGS),
  });
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const paths = document.paths as Record<string, Record<string, Operation>>;
  for (const [path, methods] of readRoutes(router)) {
    for (const route of methods.values()) {
      const operation = paths[path]![route.method.toLowerCase()]!;
      operation.security = [{ [route.credential === 'key' ? 'ApiKey' : 'OAuth2']: [] }];
      const success = operation.responses['200']!;
      success.headers = { ...success.headers, ...responseHeaders(route, '200') };
      operation.parameters = [...(operation.parameters ?? []), ...requestHeaders(route)];
      if (route.plainText)
        success.content = { ...success.content, 'text/plain': { schema: { type: 'string' } } };
      const content = (operation.requestBody as RequestBody | undefined)?.content['application/json'];
      if (content && route.examples) content.schema.examples = route.examples;
      operation.responses = { 200: success, ...errorResponses(route) } as Operation['responses'];
    }
  }
  // trpc-openapi's own error bodies, which no operation has.
  const schemas = document.components?.schemas ?? {};
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name];
  fillImportLimit(paths['/api/orders/import']?.post, options.limits.importMaxRows);
  return document;
}

interface RequestBody {
  content: { 'application/json': { schema: { properties?: Record<string, object>; examples?: unknown[] } } };
}

/** A deployment may allow more or fewer rows than the schema's default says. */
function fillImportLimit(operation: Operation | undefined, maxRows: number): void {
  const rows = (operation?.requestBody as RequestBody | undefined)?.content['application/json'].schema
    .properties?.rows;
  if (!rows) throw new Error('The document describes no rows of the order import.');
  Object.assign(rows, { maxItems: maxRows });
}
