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
      <Section id="replace" title="Replace or revoke a key">
        <Code language="Terminal">{`npm run -s cli -- api-key list
npm run -s cli -- api-key create --name "ERP bridge, second"
npm run -s cli -- api-key revoke 2`}</Code>
        <p>
          Make the new key, move the integration to it, look in the list that the old one is no longer used,
          then revoke it. A revoked key is refused from the next request on, in every process of the service.
          Take one key for each integration: rate limits, idempotency keys and revocation go by key.
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
