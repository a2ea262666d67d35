import { Code, Section } from './parts';

export function FirstCallGuide({ origin }: { origin: string }) {
  return (
    <>
      <Section id="a-key" title="A key">
        <p>
          On its first start, the service prints an API key, once. To create another one, run in the
          service&rsquo;s folder:
        </p>
        <Code language="Terminal">{'npm run -s cli -- api-key create --name "My integration"'}</Code>
        <p>
          Every operation except <code>GET /api/user</code> needs it in the header <code>X-Api-Key</code>. In
          the examples, replace <code>YOUR_KEY</code> with it.
        </p>
      </Section>
      <Section id="does-it-work" title="Does it work?">
        <Code language="Shell">{`curl ${origin}/api/legos-cate -H "X-Api-Key: YOUR_KEY"`}</Code>
        <p>The response is a list of the product categories:</p>
        <Code language="JSON">{'["head","body","hair","leg","brick"]'}</Code>
        <p>
          A 401 means that the key is missing or invalid; <code>message</code> says which.
        </p>
      </Section>
      <Section id="one-order" title="One order">
        <p>
          Orders belong to a shop. Create one; the command prints the id that imports refer to as{' '}
          <code>account_id</code>:
        </p>
        <Code language="Terminal">{'npm run -s cli -- account create --name "My shop"'}</Code>
        <Code language="Shell">{`curl ${origin}/api/orders/import \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"account_id": 1, "rows": [{"receipt_id": "1001", "transaction_id": "1", "title": "Fox Sticker",
       "quantity": 1, "price": 4.49, "sale_date": "08/22/2026", "country_name": "United States"}]}'`}</Code>
        <Code language="JSON">
          {
            '{"success":true,"message":"导入完成","data":{"new_orders":1,"updated_orders":0,"order_items_inserted":1}}'
          }
        </Code>
        <p>
          The message is a fixed text, &ldquo;import finished&rdquo;. If you send the same rows again, nothing
          is duplicated, and <code>updated_orders</code> is 1.
        </p>
        <p>
          In JavaScript (Node.js 20 or later; saved as <code>import.mjs</code>):
        </p>
        <Code language="JavaScript">{`const response = await fetch('${origin}/api/orders/import', {
  method: 'POST',
  headers: { 'X-Api-Key': 'YOUR_KEY', 'Content-Type': 'application/json' },
  body: JSON.stringify({
    account_id: 1,
    rows: [{ receipt_id: '1001', transaction_id: '1', title: 'Fox Sticker', quantity: 1, price: 4.49 }],
  }),
});
const result = await response.json();
if (!result.success) throw new Error(\`\${result.code}: \${result.message} (\${result.request_id})\`);
console.log(result.data);`}</Code>
      </Section>
      <Section id="from-an-agent" title="From an agent">
        <p>
          <code>/mcp</code> is an MCP server (Streamable HTTP, without sessions): every operation is a tool,
          with the names, fields and limits of the <a href="/docs/api/reference">reference</a>. An
          agent&rsquo;s configuration needs the URL and the key:
        </p>
        <Code language="JSON">{`{
  "mcpServers": {
    "brickdesk": {
      "type": "http",
      "url": "${origin}/mcp",
      "headers": { "X-Api-Key": "YOUR_KEY" }
    }
  }
}`}</Code>
        <p>
          Listing the tools needs no key; calling them does. A failed call returns the error envelope as text;
          its <code>message</code> says what is wrong.
        </p>
      </Section>
    </>
  );
}
