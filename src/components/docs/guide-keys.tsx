import { Code, Section } from './parts';

export function Keys({ origin }: { origin: string }) {
  return (
    <>
      <Section id="make" title="Make a key">
        <Code language="Terminal">
          {'npm run -s cli -- api-key create --name "ERP bridge" --expires 90d'}
        </Code>
        <p>
          The key is shown once: what is stored is its SHA-256 hash, with the first and last letters to
          recognise it by. Without <code>--expires</code> it does not expire. A key begins with{' '}
          <code>bdk_</code> and goes on with 46 letters and digits, of which the last six are a checksum.
        </p>
      </Section>
      <Section id="send" title="Send it">
        <Code language="Shell">{`curl ${origin}/api/legos-head -H "X-Api-Key: YOUR_KEY"`}</Code>
        <p>
          Keep it on servers, out of addresses, logs and pages. Pages of other origins cannot call the API
          unless the deployment lists them in <code>CORS_ORIGINS</code>.
        </p>
      </Section>
      <Section id="limit" title="Limit what it may do">
        <Code language="Terminal">
          {
            'npm run -s cli -- api-key create --name "ERP bridge" --scope post_api_orders_import --address 203.0.113.0/24'
          }
        </Code>
        <p>
          A key with scopes may call only the operations that they name, over REST, native tRPC and MCP alike;
          one with address ranges only from there. Anything else is 403, from the next request after a change.
        </p>
      </Section>
      <Section id="replace" title="Rotate or revoke a key">
        <Code language="Terminal">{`npm run -s cli -- api-key rotate 2 --grace 24h
npm run -s cli -- api-key calls 2
npm run -s cli -- api-key revoke 2`}</Code>
        <p>
          Rotating makes a key with the same name, scopes, ranges and expiry; the old one lives on for the
          grace, from 0 to 24 hours. Move the integration to the new one meanwhile, and see in the calls of
          the old one who still uses it. A revoked key is refused from the next request on, in every process
          of the service. Take one key for each integration: rate limits, idempotency keys and revocation go
          by key.
        </p>
      </Section>
      <Section id="calls" title="The request log of a key">
        <p>
          The last thousand calls of each key are kept for seven days: time, request id, operation, status,
          duration, address, and of an error its code and texts without personal data.
        </p>
      </Section>
      <Section id="tokens" title="Bearer tokens">
        <p>
          <code>GET /api/user</code> alone wants an OAuth 2.0 access token with the scope{' '}
          <code>user:read</code>, <code>Authorization: Bearer ACCESS_TOKEN</code>, and no key. This release
          issues no tokens yet: the operation answers 401 to everybody.
        </p>
      </Section>
    </>
  );
}
