import type { ReactNode } from 'react';
import { ERROR_CODES, type ErrorCode } from '../../server/core/errors/error-codes';
import { Code, Section, Table } from './parts';

/** What each code means, and what a client should do about it. */
const CODE_EXPLANATIONS: Record<ErrorCode, readonly [meaning: string, advice: string]> = {
  bad_request: ['The request is not valid HTTP', 'Fix the client'],
  unauthorized: [
    'The credential is missing, unknown, expired or revoked, or a signature does not verify',
    'Send a valid one; do not retry',
  ],
  forbidden: [
    'The scopes or address ranges of the key, or the scope of the token, do not allow this',
    'Do not retry; have the key changed',
  ],
  confirmation_required: [
    'The user must enter their password again, and their code if they have a second factor; only the back office returns this',
    'Confirm, then send the request again',
  ],
  not_found: ['The path, order or tracking number does not exist', 'Do not retry'],
  method_not_allowed: [
    'The path does not support this method; Allow lists those that it does',
    'Use one of them',
  ],
  request_timeout: ['The body did not arrive in time', 'Send it again, without pausing'],
  conflict: [
    'The record has changed in the meantime; only the back office returns this',
    'Reload and try again',
  ],
  payload_too_large: ['The body is larger than the limit', 'Send less in one request'],
  unsupported_media_type: [
    'The body is not application/json in UTF-8, or is compressed',
    'Send uncompressed JSON; do not retry',
  ],
  expectation_failed: ['The Expect header has a value other than 100-continue', 'Leave the header out'],
  validation_failed: ['The input is not valid; errors lists what is wrong', 'Fix the input'],
  upgrade_refused: ['The request asks to upgrade to another protocol', 'Leave out the Upgrade header'],
  rate_limited: [
    'The key has used up its requests for this minute, or its reply tokens for today; without a valid credential, the address has used up its requests',
    'Wait as long as Retry-After says',
  ],
  headers_too_large: ['The headers exceed 16 KiB in total', 'Send fewer or shorter ones'],
  import_failed: ['An import failed and nothing was stored; error has the cause', 'Try again later'],
  internal_error: ['The service failed', 'Try again; report request_id'],
  upstream_failed: [
    'The other service could not be reached, refused the request or sent no usable response',
    'Try again later',
  ],
  service_unavailable: [
    'The database cannot be reached, or another request is using the same data',
    'Wait as long as Retry-After says',
  ],
  upstream_not_configured: [
    'This deployment has no access to the other service',
    'Ask the operator of the deployment',
  ],
  upstream_unavailable: [
    'The other service keeps failing, so it is not called for a while',
    'Wait as long as Retry-After says',
  ],
  upstream_timeout: ['The other service took too long', 'Try again later'],
};

const CODE_ROWS = Object.entries(CODE_EXPLANATIONS).map(([code, [meaning, advice]]) => ({
  key: code,
  cells: [
    ERROR_CODES[code as ErrorCode].status,
    <code key="code">{code}</code>,
    meaning,
    advice,
  ] as ReactNode[],
}));

export function ErrorsGuide({ origin }: { origin: string }) {
  return (
    <>
      <Section id="envelope" title="The envelope">
        <p>Every error has the same shape, even those for unknown paths and invalid JSON:</p>
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
          <code>error_count</code> come with 422: the first 100 problems, and the number of all problems.
          Paths count rows from 0, in the order sent. If another service caused a 502, 503 or 504, it has{' '}
          <code>source</code>: <code>carrier</code> or <code>text_provider</code>. The 500 of an import has
          the fixed message <span lang="zh-CN">导入失败</span> and the public cause in <code>error</code>.
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
            does not arrive in time is 408. Of two members with the same name, the last one counts.
          </li>
          <li>For tracking callbacks, the signature, if a secret is configured (401).</li>
          <li>
            Validation (422). A member that is only kept, such as one in <code>extra</code>, may be nested at
            most 32 levels deep.
          </li>
        </ol>
      </Section>
      <Section id="limits" title="Limits">
        <p>
          By default, a body may be up to 1 MiB, an import up to 64 MiB and 50,000 rows, and a key may make
          6,000 requests a minute. Responses to requests that are counted for a key give the current state of
          its limit:
        </p>
        <Code language="HTTP">{`RateLimit-Limit: 6000
RateLimit-Remaining: 5999
RateLimit-Reset: 60`}</Code>
        <p>
          <code>RateLimit-Reset</code> is in seconds. A request is counted once its path, method, key and
          address are accepted, so a 404 for the path, 405, 401, or the 403 for an address does not have these
          headers. A 429 also has <code>Retry-After</code>, in seconds.
        </p>
        <p>
          Requests without a valid key, token or session are limited by client address: after 3,000 a minute
          on all paths together they get 429. Requests with a valid credential do not count, and are never
          refused by this limit.
        </p>
        <p>
          A body must arrive within 30 seconds. An import may take longer if it arrives at 16 KiB a second or
          faster; a slower client gets 408. The same limits apply to native tRPC and MCP. A native import
          larger than 1 MiB must be a single call, not part of a batch, and MCP accepts one message per
          request. A tool of a GET operation takes at most 1,000 arguments.
        </p>
      </Section>
      <Section id="retries" title="Retries">
        <p>
          Retry 408, 429, 500, 502, 503 and 504, except <code>upstream_not_configured</code>, and broken
          connections: after <code>Retry-After</code> if there is one, otherwise after 1, 2, 4 and 8 seconds.
          Do not retry other 4xx errors unchanged, except the 422 of an import that took too long to read.
          Imports, statistics and callbacks can safely be sent again: nothing is duplicated.
        </p>
      </Section>
      <Section id="idempotency" title="Idempotency-Key">
        <p>
          <code>POST /api/orders/import</code> and <code>POST /api/marketplace/message</code> accept the
          header <code>Idempotency-Key</code>: 1 to 255 visible ASCII characters, a new one for each new
          request. The same key with the same body within 24 hours gets the first response again, with{' '}
          <code>Idempotent-Replayed: true</code>, and is not processed again. With another body it gets 422.
          If two arrive at the same time, the second waits for the result of the first. If the service died
          while it ran the first, the second waits until that is certain, up to 15 seconds, and then runs:
          allow it a timeout of a minute. An import&rsquo;s response is stored together with its orders, so a
          call whose response was lost gets it when it is sent again. These responses are not stored, so the
          same request runs again: 401 and 403 (once access is restored), 429, 500 and above, and the 422 of
          an import that took too much time or memory to read.
        </p>
        <Code language="Shell">{`curl -i ${origin}/api/orders/import \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: orders-1004" \\
  -d '{"account_id": 1, "rows": [{"receipt_id": "1004", "title": "Fox Sticker", "quantity": 1}]}'`}</Code>
      </Section>
      <Section id="request-ids" title="Request ids">
        <p>
          Every response has <code>X-Request-Id</code>, and every error has the same id in{' '}
          <code>request_id</code>: the service logs the request under it. Only a replayed error keeps the id
          of the request that first got it, because a replay is the first response unchanged. If you send your
          own id, of 1 to 128 characters from <code>A-Z a-z 0-9 . _ -</code>, it is used.
        </p>
        <Code language="Shell">{`curl -i ${origin}/api/legos-sku -H "X-Api-Key: YOUR_KEY" -H "X-Request-Id: nightly-42"`}</Code>
      </Section>
      <Section id="caching" title="Lists that have not changed">
        <p>
          The product code lists have an <code>ETag</code>. Send it back in <code>If-None-Match</code>: if
          nothing has changed, the response is 304, without a body.
        </p>
      </Section>
    </>
  );
}
