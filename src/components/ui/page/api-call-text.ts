import { formatExactJson } from '../value/exact-json';

/** A request to an operation of the HTTP API. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path from the root, such as `/api/orders/import`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

const KEY_PLACEHOLDER = 'YOUR_KEY';

function urlOf(origin: string, { path, query = {} }: ApiRequest): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return origin + path + (search === '' ? '' : `?${search}`);
}

/** Quotes a string for a POSIX shell. */
const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns a curl command that sends a request.
 * @param key a real key, only if it is shown anyway, such as right after its creation
 */
export function asCurl(origin: string, request: ApiRequest, key = KEY_PLACEHOLDER): string {
  const { method, body } = request;
  const lines = [`curl ${quoteForShell(urlOf(origin, request))}`, `-H 'X-Api-Key: ${key}'`];
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(formatExactJson(body))}`);
  if (method !== (body === undefined ? 'GET' : 'POST')) lines.splice(1, 0, `-X ${method}`);
  return lines.join(' \\\n  ');
}

/** Returns the expression for a body. JavaScript would change some numbers, such as a tracking number beyond 2^53. */
function bodyExpression(body: unknown): string {
  const json = formatExactJson(body);
  const isExact = JSON.stringify(JSON.parse(json)) === json;
  return isExact
    ? `JSON.stringify(${formatExactJson(body, 2).replaceAll('\n', '\n  ')})`
    : JSON.stringify(json);
}

export function asTypeScript(origin: string, request: ApiRequest): string {
  const { method, body } = request;
  const contentTypeHeader = body === undefined ? '' : ", 'Content-Type': 'application/json'";
  const bodyLine = body === undefined ? '' : `  body: ${bodyExpression(body)},\n`;
  return `const response = await fetch(${JSON.stringify(urlOf(origin, request))}, {
  method: '${method}',
  headers: { 'X-Api-Key': '${KEY_PLACEHOLDER}'${contentTypeHeader} },
${bodyLine}});
const result = await response.json();`;
}
