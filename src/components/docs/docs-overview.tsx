import { GUIDES } from './guide-list';
import { Code } from './parts';

/** The first page of /docs/api: what the API is, the guides, and the machine-readable documents. */
export function DocsOverview({ origin }: { origin: string }) {
  return (
    <article className="docs-text">
      <h1>Brickdesk API</h1>
      <p>
        The HTTP API of the back office. It imports orders, receives tracking callbacks and daily statistics,
        returns product codes and tracking texts, queries carriers and writes replies to buyers. Bodies are
        JSON in UTF-8, names are in snake_case, and times are ISO 8601 in UTC. The base URL of this deployment
        is:
      </p>
      <Code language="Base URL">{origin}</Code>
      <h2 id="guides">Guides</h2>
      <dl className="docs-list">
        {GUIDES.map(({ slug, title, summary }) => (
          <div key={slug}>
            <dt>
              <a href={`/docs/api/guides/${slug}`}>{title}</a>
            </dt>
            <dd>{summary}</dd>
          </div>
        ))}
      </dl>
      <h2 id="reference">Reference</h2>
      <dl className="docs-list">
        <div>
          <dt>
            <a href="/docs/api/reference">API reference</a>
          </dt>
          <dd>
            Every operation with its fields and errors, samples in curl, JavaScript, Python and PHP, and a
            console for test requests.
          </dd>
        </div>
        <div>
          <dt>
            <a href="/docs/api/changelog">Change log</a>
          </dt>
          <dd>What has changed, and when.</dd>
        </div>
      </dl>
      <h2 id="for-programs">For programs</h2>
      <dl className="docs-list">
        <div>
          <dt>
            <a href="/docs/api/openapi.json">openapi.json</a>
          </dt>
          <dd>The OpenAPI 3.1 document, from which clients can be generated.</dd>
        </div>
        <div>
          <dt>
            <a href="/docs/api/mcp-tools.json">mcp-tools.json</a>
          </dt>
          <dd>
            The operations as tools, with JSON Schemas of input and output; agents call them{' '}
            <a href="/docs/api/guides/first-call#from-an-agent">by MCP</a>.
          </dd>
        </div>
        <div>
          <dt>
            <a href="/docs/api/changelog.json">changelog.json</a>
          </dt>
          <dd>The change log as JSON.</dd>
        </div>
        <div>
          <dt>
            <a href="/llms.txt">llms.txt</a>
          </dt>
          <dd>An overview of the API in plain text, for language models and agents.</dd>
        </div>
      </dl>
    </article>
  );
}
