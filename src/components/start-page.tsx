import { BrandMark } from './ui/brand/mark';

/** The page at the service's root URL: what this is, where to sign in, the first steps, and links for programs. */
export function StartPage({ origin, backOfficePath }: { origin: string; backOfficePath: string }) {
  return (
    <main className="sheet">
      <h1 className="brand">
        <BrandMark size={32} /> Brickdesk
      </h1>
      <p className="lead">The back office of sellers on an online marketplace. The service is running.</p>
      <p className="lead" lang="zh-CN">
        电商卖家后台，服务正在运行。
      </p>
      <p>
        <a className="button" href={backOfficePath}>
          Sign in <span lang="zh-CN">登录</span>
        </a>
      </p>

      <h2>First steps</h2>
      <p>Create a shop, then import the marketplace&rsquo;s &ldquo;Sold order items&rdquo; export:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a code block that scrolls sideways must be reachable by keyboard */}
      <pre tabIndex={0}>
        {
          'npm run -s cli -- account create --name "My shop"\nnpm run -s cli -- orders import FILE.csv --account 1'
        }
      </pre>
      <p>or send the rows over HTTP, with the API key that the first start printed:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <pre tabIndex={0}>
        {`curl ${origin}/api/orders/import \\\n  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\\n  -d '{"account_id": 1, "rows": [{"receipt_id": "1001", "sale_date": "08/22/2026"}]}'`}
      </pre>

      <h2>For programs</h2>
      <ul>
        <li>
          <a href="/docs/api">API documentation</a>: guides, reference, change log
        </li>
        <li>
          <a href="/docs/api/openapi.json">OpenAPI document</a>, from which clients can be generated
        </li>
        <li>
          <a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a>, for monitoring the service
        </li>
      </ul>
    </main>
  );
}
