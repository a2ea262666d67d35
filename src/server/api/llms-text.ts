/** An operation as /llms.txt lists it. */
interface ListedOperation {
  name: string;
  description: string;
  method: string;
  path: string;
  auth: 'key' | 'bearer';
}

/** Returns /llms.txt: what an agent needs to know to call the service, in plain Markdown. */
export function llmsText(appUrl: string, operations: readonly ListedOperation[]): string {
  const links: [title: string, path: string, contents: string][] = [
    ['OpenAPI document', '/docs/api/openapi.json', 'every operation with schemas, bounds and errors'],
    ['Tool list', '/docs/api/mcp-tools.json', 'the same operations as tools, with JSON Schemas'],
    ['First call in a minute', '/docs/api/guides/first-call', 'a key, a shop, one order'],
    ['Importing orders', '/docs/api/guides/importing-orders', 'both layouts, every column'],
    ['Tracking callbacks', '/docs/api/guides/tracking-callbacks', 'forms, signatures'],
    ['Statistics', '/docs/api/guides/statistics', "a shop's and a listing's day"],
    ['Errors, limits and retries', '/docs/api/guides/errors', 'the envelope, codes, Idempotency-Key'],
    ['Keys and tokens', '/docs/api/guides/keys', 'how to create, send and revoke keys'],
    ['Change log', '/docs/api/changelog.json', 'versions, dates and changes'],
  ];
  const documentLines = links.map(([title, path, contents]) => `- [${title}](${appUrl}${path}): ${contents}`);
  const operationLines = operations.map(({ method, path, name, description, auth }) => {
    const summary = description.split('. ')[0];
    return `- ${method} ${path} (${name}${auth === 'bearer' ? ', bearer token' : ''}): ${summary}`;
  });
  return `# Brickdesk

> The back office of sellers on an online marketplace: order import, product codes, tracking, statistics and replies to
> buyers behind one HTTP API at ${appUrl}.

Send an API key in the header X-Api-Key with every request; GET /api/user requires a bearer token instead. Bodies are JSON
in UTF-8. Every error is {"success": false, "message", "code", "request_id"}; decide by code. On 429 and 503 wait for
Retry-After. Imports are all or nothing and may be sent again without harm.

The same operations are tools of an MCP server (Streamable HTTP, the same headers) at ${appUrl}/mcp.

## Documents

${documentLines.join('\n')}

## Operations

${operationLines.join('\n')}
`;
}
