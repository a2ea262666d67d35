import type { ReactNode } from 'react';
import { ERROR_CODES, type ErrorCode } from '../../server/core/errors/error-codes';
import { Code, Section, Table } from './parts';

/** What each code means, and what a client should do about it. */
const CODES: Record<ErrorCode, readonly [meaning: string, todo: string]> = {
  bad_request: ['The request is not HTTP, or its request line is wrong', 'Correct the client'],
  unauthorized: [
    'The credential is missing, unknown, expired or revoked, or a signature does not verify',
    'Send a valid one; do not retry',
  ],
  forbidden: [
    'The scopes or address ranges of the key, or the scope of the token, do not allow this',
    'Do not retry; have the key changed',
  ],
  confirmation_required: [
    'The person has to give their password, and code, again; only the back office says this',
    'Confirm, then send it again',
  ],
  not_found: ['There is no such path, order or tracking number', 'Do not retry'],
  method_not_allowed: ['The path has other methods; Allow lists them', 'Use one of them'],
  request_timeout: ['The body did not arrive in time', 'Send it again, without pausing'],
  conflict: [
    'What you act on has changed in the meantime; only the back office returns this',
    'Reload and try again',
  ],
  payload_too_large: ['The body is larger than the limit', 'Send less at once'],
  unsupported_media_type: [
    'The body is not application/json in UTF-8, or is compressed',
    'Send it that way; do not retry',
  ],
  expectation_failed: ['The header Expect is something other than 100-continue', 'Leave it out'],
  validation_failed: ['The input is not valid; errors lists what is wrong', 'Fix the input'],
  upgrade_refused: ['The request asks for another protocol', 'Leave the header Upgrade out'],
  rate_limited: [
    'The key has used up its requests for this minute, or its tokens for replies of today; without a valid credential, the address has used up its requests',
    'Wait as long as Retry-After says',
  ],
  headers_too_large: ['The headers are larger than 16 KiB together', 'Send fewer or shorter ones'],
  import_failed: ['An import failed and nothing is stored; error has the cause', 'Try again later'],
  internal_error: ['The service failed', 'Try again; report request_id'],
  upstream_failed: ['The other service refused or gave no usable response', 'Try again later'],
  service_unavailable: ['The database cannot be reached', 'Wait as long as Retry-After says'],
  upstream_not_configured: [
    'This deployment has no access to the other service',
    'Ask the operator of the deployment',
  ],
  upstream_unavailable: [
    'The other service keeps failing and is not called for a while',
    'Wait as long as Retry-After says',
  ],
  upstream_timeout: ['The other service took too long', 'Try again later'],
};

const CODE_ROWS = Object.entries(CODES).map(([code, [meaning, todo]]) => ({
  key: code,
  cells: [
    ERROR_CODES[code as ErrorCode].status,
    <code key="code">{code}</code>,
    meaning,
    todo,
  ] as ReactNode[],
}));

export function Errors({ origin }: { origin: string }) {
  return (
    <>
      <Section id="envelope" title="The envelope">
        <p>Every error has the same shape, including those for unknown paths and broken JSON:</p>
        <Code language="JSON">{`{
  "success": false,
  "message": "rows.0.quantity: must be a whole number from 0 to 2147483647",
  "code": "validation_failed",
  "request_id": "0f9e7c6a-5b1d-4e0c-9a53-3c1f3f1f1b2a",
  "errors": [{"path": "rows.0.quantity", "message": "must be a whole number from 0 to 2147483647"}],
  "error_count": 1
}`}</Code>
        <p>
          Branch on <code>code</code>; show <code>message</code> to people. <code>errors</code> and{' '}
          <code>error_count</code> come with 422: the first 100 problems, and how many there are. Paths count
          rows from 0, as sent. 502, 503 and 504 that another service caused have <code>source</code>:{' '}
          <code>carrier</code> or <code>text_provider</code>. The 500 of an import has the fixed message{' '}
          <span lang="zh-CN">导入失败</span> and the public cause in <code>error</code>.
        </p>
      </Section>
      <Section id="codes" title="Every code">
        <Table label="Error codes" head={['Status', 'Code', 'Meaning', 'What to do']} rows={CODE_ROWS} />
      </Section>
      <Section id="order-of-checks" title="Order of checks">
        <ol>
          <li>Path (404), then method (405).</li>
          <li>
            Credential (401) and the addresses of the key (403), the rate limit (429), then the scopes of the
            key (403): all before the body is read.
          </li>
          <li>Content type (415), then size (413).</li>
          <li>
            JSON that is nested deeper than 64 levels, does not parse, or is not an object (422). A body that
            does not arrive in time is 408.
          </li>
          <li>For tracking callbacks the signature, where one is configured (401).</li>
          <li>Validation (422).</li>
        </ol>
      </Section>
      <Section id="limits" title="Limits">
        <p>
          A body has at most 1 MiB, an import&rsquo;s 64 MiB and 50,000 rows, and a key may make 6,000
          requests a minute, unless the deployment says otherwise. Every response to a valid key carries its
          current state:
        </p>
        <Code language="HTTP">{`RateLimit-Limit: 6000
RateLimit-Remaining: 5999
RateLimit-Reset: 60`}</Code>
        <p>
          <code>RateLimit-Reset</code> is in seconds. A 429 also has <code>Retry-After</code>, in seconds.
        </p>
        <p>
          Requests without a valid key, token or session are limited by the address that they come from: 3,000
          a minute on all paths together, then 429. Requests with a valid credential are not counted and never
          refused for it.
        </p>
        <p>
          A body has 30 seconds to arrive. An import may take longer as long as it arrives at 16 KiB a second;
          a slower client gets 408. Over native tRPC and MCP the same limits hold. A native import larger than
          1 MiB has to be a call of its own, not part of a batch, and MCP takes one message at a time.
        </p>
      </Section>
      <Section id="retries" title="Retries">
        <p>
          Retry 429, 500, 502, 503 and 504, and connections that broke: after <code>Retry-After</code> where
          there is one, otherwise after 1, 2, 4 and 8 seconds. Never retry other 4xx unchanged. An import,
          statistics and callbacks may be sent again without harm: none of them duplicates anything.
        </p>
      </Section>
      <Section id="idempotency" title="Idempotency-Key">
        <p>
          <code>POST /api/orders/import</code> and <code>POST /api/marketplace/message</code> take the header{' '}
          <code>Idempotency-Key</code>: 1 to 255 visible ASCII characters, a new one for each new request. The
          same key with the same body within 24 hours gets the first response again, with{' '}
          <code>Idempotent-Replayed: true</code>, and nothing is run. With another body it is 422. Two at once
          run once; the second waits for the first. An import&rsquo;s response is stored together with its
          orders, so that a call whose response was lost gets it when it is sent again. Responses of 500 and
          above are not kept, so that the call can be tried again.
        </p>
        <Code language="Shell">{`curl -i ${origin}/api/orders/import \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: orders-1004" \\
  -d '{"account_id": 1, "rows": [{"receipt_id": "1004", "title": "Fox Sticker", "quantity": 1}]}'`}</Code>
      </Section>
      <Section id="request-ids" title="Request ids">
        <p>
          Every response has <code>X-Request-Id</code>, and every error the same in <code>request_id</code>:
          the service logs the request under it. Send your own, 1 to 128 of <code>A-Z a-z 0-9 . _ -</code>,
          and it is kept.
        </p>
        <Code language="Shell">{`curl -i ${origin}/api/legos-sku -H "X-Api-Key: YOUR_KEY" -H "X-Request-Id: nightly-42"`}</Code>
      </Section>
      <Section id="caching" title="Lists that have not changed">
        <p>
          The product code lists carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>: where
          nothing has changed the response is 304, without a body.
        </p>
      </Section>
    </>
  );
}
