import { Code, Section } from './parts';

export function KeysGuide({ origin }: { origin: string }) {
  return (
    <>
      <Section id="make" title="Create a key">
        <Code language="Terminal">
          {'npm run -s cli -- api-key create --name "ERP bridge" --expires 90d'}
        </Code>
        <p>
          The key is shown once. Only its SHA-256 hash is stored, with the first and last characters by which
          to recognise it. Without <code>--expires</code> it does not expire. A key is <code>bdk_</code>{' '}
          followed by 46 letters and digits; the last six are a checksum.
        </p>
      </Section>
      <Section id="send" title="Send it">
        <Code language="Shell">{`curl ${origin}/api/legos-head -H "X-Api-Key: YOUR_KEY"`}</Code>
        <p>
          Keep the key on your servers, and out of URLs, logs and web pages. Browsers may call the API only
          from origins that the deployment lists in <code>CORS_ORIGINS</code>.
        </p>
      </Section>
      <Section id="limit" title="Limit what it may do">
        <Code language="Terminal">
          {
            'npm run -s cli -- api-key create --name "ERP bridge" --scope post_api_orders_import --address 203.0.113.0/24'
          }
        </Code>
        <p>
          A key with scopes may call only the operations that they name, over REST, native tRPC and MCP alike.
          A key with address ranges works only from those addresses. Anything else is refused with 403. A
          change applies from the next request on.
        </p>
      </Section>
      <Section id="replace" title="Rotate or revoke a key">
        <Code language="Terminal">{`npm run -s cli -- api-key rotate 2 --grace 24h
npm run -s cli -- api-key calls 2
npm run -s cli -- api-key revoke 2`}</Code>
        <p>
          Rotating creates a new key with the same name, scopes, ranges and expiry. The old key keeps working
          for the grace period, from 0 to 24 hours, while you move the integration to the new one; its request
          log shows who still uses it. A revoked key is refused from the next request on, in every process.
          Use one key for each integration: rate limits, idempotency keys and revocation are per key.
        </p>
      </Section>
      <Section id="calls" title="The request log of a key">
        <p>
          Each key&rsquo;s last thousand calls are kept for <code>REQUEST_LOG_DAYS</code>, a week by default:
          time, request id, operation, status, duration, address and, for errors, the code and the messages
          without personal data.
        </p>
      </Section>
      <Section id="tokens" title="Bearer tokens">
        <p>
          <code>GET /api/user</code> takes no key. It returns the person that a bearer token belongs to. A
          token is one of these:
        </p>
        <ul>
          <li>
            an OAuth 2.0 access token with the scope <code>user:read</code>, which a registered client obtains
            by the authorization code flow with PKCE; the discovery document is at{' '}
            <code>/.well-known/openid-configuration</code>,
          </li>
          <li>
            a personal access token, created under &ldquo;Account &amp; security&rdquo; in the back office or
            by command.
          </li>
        </ul>
        <Code language="Terminal">{`npm run -s cli -- oauth-client create --name Wiki --redirect-uri https://wiki.example/callback
npm run -s cli -- token create --email ann@example.com --name "Nightly script" --expires 90d`}</Code>
        <Code language="Shell">{`curl ${origin}/api/user -H "Authorization: Bearer ACCESS_TOKEN"`}</Code>
        <p>
          A missing, unknown, expired or revoked token gets 401; a valid one without the scope, or one that
          belongs to no person (client credentials), gets 403.
        </p>
      </Section>
    </>
  );
}
